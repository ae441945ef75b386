import type { Session } from '../../conversations/sessions/sessions.ts';
import { createFailureLog } from '../../lib/failure-log.ts';
import type { Platform } from '../../platform.ts';
import type { Heard, Participant, Rooms } from '../../providers/rooms.ts';
import { isOwn, targetOf } from '../conductor/parties.ts';
import type { Transfer } from './store.ts';

/** Pause between two looks at a phone that rings: so long is it heard at most. */
const RINGING_MS = 100;
/** Pause between two looks at a target that may be reconnecting, and how often it is looked for. */
const [PAUSE_MS, LOOKS] = [500, 4];

type Deps = Pick<Platform, 'clock' | 'log'> & { rooms: Rooms };

/** Tells the media server who of an attended transfer hears whom. */
export function createHearing({ clock, log, rooms }: Deps, stopped: AbortSignal) {
  /** Has the caller, and everybody else who is on a phone, hear this; and the target of a consultation the agent. */
  async function hear({ room_name }: Session, present: Participant[], heard: Heard, target?: string): Promise<void> {
    const people = present.filter((one) => isOwn(one) || one.kind === 'SIP');
    const hearing = people.map(({ identity }) => [identity, identity === target ? 'agent' : heard]);
    await rooms.setHearing(room_name, Object.fromEntries(hearing));
  }

  /** Keeps the target, until it has answered or failed, from being heard by the caller. */
  async function muffle<T>(session: Session, transfer: Transfer, ringing: Promise<T>): Promise<T> {
    const answered = new AbortController();
    const muffling = untilAnswered(session, transfer, AbortSignal.any([answered.signal, stopped]));
    return ringing.finally(() => {
      answered.abort();
      return muffling;
    });
  }

  async function untilAnswered(session: Session, transfer: Transfer, signal: AbortSignal): Promise<void> {
    const failures = createFailureLog(log, 'keeping a ringing phone from being heard');
    for (let muffled: string | null = null; !signal.aborted; ) {
      try {
        muffled = await muffleOnce(session, transfer, muffled);
        failures.succeeded();
      } catch (err) {
        failures.failed(err);
      }
      await clock.sleep(RINGING_MS, signal).catch(() => {});
    }
  }

  /**
   * Returns the connections of caller and target between which there is no sound; null if there may be: the target's
   * sound begins with its connection, or a moment later. On another trunk it has another connection.
   */
  async function muffleOnce(session: Session, transfer: Transfer, muffled: string | null): Promise<string | null> {
    const present = await rooms.listParticipants(session.room_name);
    const target = present.find(({ identity }) => identity === targetOf(transfer));
    const caller = present.find(isOwn);
    if (!target || !caller) return null;
    const between = `${caller.sid} ${target.sid}`;
    if (between !== muffled) await rooms.setHearing(session.room_name, { [caller.identity]: 'ours' });
    return target.audio_at ? between : null;
  }

  return {
    hear,
    muffle,
    join: async (session: Session): Promise<void> =>
      hear(session, await rooms.listParticipants(session.room_name), 'everybody'),
    /** Has caller and target not hear each other. */
    separate: async (session: Session, transfer: Transfer, present?: Participant[]): Promise<void> => {
      const all = present ?? (await rooms.listParticipants(session.room_name));
      await hear(session, all, 'music', targetOf(transfer));
    },
    /** The participants of a room once the target is among them; undefined if it is not, nor reconnects. */
    untilListed: async ({ room_name }: Session, target: string): Promise<Participant[] | undefined> => {
      for (let look = 1; ; look++) {
        const present = await rooms.listParticipants(room_name);
        if (present.some(({ identity }) => identity === target)) return present;
        if (look === LOOKS) return undefined;
        await clock.sleep(PAUSE_MS);
      }
    },
  };
}
