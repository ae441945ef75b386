import type { Platform } from '../../platform.ts';
import type { Events } from '../../providers/events.ts';
import type { Departure } from '../conductor/conductor.ts';
import { isOwn } from '../conductor/parties.ts';
import { listOfRoom } from './store.ts';

interface Deps extends Pick<Platform, 'db'> {
  source: Pick<Events, 'parseEvent'>;
}

/** How long the event of a phone that was refused may take, and the pause between two looks. */
const [LEAVES_MS, POLL_INTERVAL_MS] = [2_000, 100];

/**
 * Tells whether a phone may have rung that was dialled over a trunk and refused: it leaves with the state that it had.
 * True if the event does not come.
 */
export function createRungCheck({ db, clock, source }: Deps & Pick<Platform, 'clock'>) {
  return async function mayHaveRung(room_name: string, identity: string, trunk_id: string): Promise<boolean> {
    for (let waited = 0; waited < LEAVES_MS; waited += POLL_INTERVAL_MS) {
      const connections = (await listOfRoom(db, room_name)).flatMap(({ body }) => {
        const { kind, participant } = source.parseEvent(body);
        const isIts = participant?.identity === identity && participant.phone?.trunk_id === trunk_id;
        return isIts && (kind === 'joined' || kind === 'left') ? [{ kind, participant }] : [];
      });
      // A bridge that has reconnected shows a ringing phone as dialing.
      if (new Set(connections.map(({ participant }) => participant.sid)).size > 1) return true;
      const left = connections.find(({ kind }) => kind === 'left')?.participant;
      if (left) return left.leaving === 'replaced' || left.phone?.state !== 'dialing';
      await clock.sleep(POLL_INTERVAL_MS);
    }
    return true;
  };
}

/**
 * Finds how a call's own phone or browser has left its room, in the events that have been stored: handling one may be
 * late or have failed, and another process may be about to. Undefined while its last connection is not known to have
 * ended.
 */
export function createDepartures({ db, source }: Deps) {
  return async function departureFrom(room_name: string): Promise<Departure | undefined> {
    const events = (await listOfRoom(db, room_name)).flatMap(({ body, received_at }) => {
      const { kind, participant, created_at } = source.parseEvent(body);
      const isConnection = participant !== null && isOwn(participant) && (kind === 'joined' || kind === 'left');
      return isConnection ? [{ kind, departure: { ...participant, time: { created_at, received_at } } }] : [];
    });
    const joinedAt = ({ departure }: (typeof events)[number]) => departure.joined_at?.getTime() ?? 0;
    const last = events.sort((one, other) => joinedAt(one) - joinedAt(other)).at(-1)?.departure;
    return events.find(({ kind, departure }) => kind === 'left' && departure.sid === last?.sid)?.departure;
  };
}
