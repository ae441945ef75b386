import type { Clock } from '../../lib/clock.ts';
import type { Session } from '../sessions/sessions.ts';

/**
 * Grace period in which a room or a phone may be missing: before it is created, and while the event of its end is
 * being handled.
 */
const GRACE_MS = 5_000;

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
    /** Notes in this round that something is missing; returns whether that is so for longer than the grace period. */
    isMissing: ({ id }: Session, graceMs = GRACE_MS): boolean => {
      const now = clock.now().getTime();
      const since = before.get(id) ?? now;
      current.set(id, since);
      return now - since > graceMs;
    },
    /** Whether something was missing in the previous round. */
    wasMissing: ({ id }: Session): boolean => before.has(id),
    /** Forgets what is no longer missing. */
    end: (): void => {
      ended = current;
    },
  };
}
