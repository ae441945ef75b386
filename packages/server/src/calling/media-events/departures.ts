import type { Platform } from '../../platform.ts';
import type { Events } from '../../providers/events.ts';
import type { Departure } from '../conductor/conductor.ts';
import { isOwn } from '../conductor/parties.ts';
import { listOfRoom } from './store.ts';

interface Deps extends Pick<Platform, 'db'> {
  source: Pick<Events, 'parseEvent'>;
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
