import { GRACE_MS } from '../../calling/conductor/conductor.ts';
import type { Session } from '../../conversations/sessions/sessions.ts';
import type { Clock } from '../../lib/clock.ts';

/** Tracks since when sessions lack their room, or calls their phone or any other participant, from round to round. */
export function createMissing(clock: Clock) {
  /** When each was first found to be missing: of the previous round, of this one, and of the last one that ended. */
  let before = new Map<string, number>();
  let current = new Map<string, number>();
  let ended = new Map<string, number>();

  return {
    /**
     * A round that does not end, or that another replica runs, makes the next one forget: what was missing may have
     * been back in between.
     */
    begin: (): void => {
      before = ended;
      current = new Map();
      ended = new Map();
    },
    /**
     * Notes in this round that something is missing; returns since when, if that is so for longer than the grace
     * period.
     */
    missingSince: ({ id }: Session): Date | null => {
      const now = clock.now().getTime();
      const since = before.get(id) ?? now;
      current.set(id, since);
      return now - since > GRACE_MS ? new Date(since) : null;
    },
    /** Since when the previous rounds have missed something; null if the last one has not. */
    missedBefore: ({ id }: Session): Date | null => {
      const since = before.get(id);
      return since === undefined ? null : new Date(since);
    },
    /** Forgets what is no longer missing. */
    end: (): void => {
      ended = current;
    },
  };
}
