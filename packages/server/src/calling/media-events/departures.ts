import type { Db } from '../../db/tables.ts';
import type { Platform } from '../../platform.ts';
import type { Events } from '../../providers/events.ts';
import type { Reports } from '../conductor/conductor.ts';
import { isOwn } from '../conductor/parties.ts';
import { listOfRoom, listOfUnhandledRooms } from './store.ts';

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

export type MediaReports = ReturnType<typeof createMediaReports>;

/**
 * Tells what the events say that have been stored about rooms: handling one may be late or have failed, and another
 * process may be about to.
 */
export function createMediaReports({ db, source }: Deps) {
  /** A departure counts only where its own event is waiting: others have been judged already. */
  function read(stored: { body: string; received_at: Date; is_waiting?: boolean }[]): Reports {
    const events = stored.map(({ body, ...of }) => ({ ...source.parseEvent(body), ...of }));
    const timed = events.flatMap(({ kind, participant, created_at, received_at, is_waiting = true }) =>
      participant && (kind === 'joined' || kind === 'left')
        ? [{ kind, is_waiting, participant: { ...participant, time: { created_at, received_at } } }]
        : [],
    );
    const own = timed.filter(({ participant }) => isOwn(participant));
    const joinedAt = ({ participant }: (typeof own)[number]) => participant.joined_at?.getTime() ?? 0;
    const last = own.sort((one, other) => joinedAt(one) - joinedAt(other)).at(-1)?.participant;
    const departure = own.find(({ kind, participant }) => kind === 'left' && participant.sid === last?.sid);
    return {
      departure: departure?.is_waiting ? departure.participant : undefined,
      closed: events.findLast(({ kind }) => kind === 'room_ended'),
      known: timed.map(({ participant }) => participant),
    };
  }

  return {
    reportsOf: async (room_name: string) => read(await listOfRoom(db, room_name)),
    unhandledOf: async (trx: Db, room_names: string[]): Promise<Map<string, Reports>> => {
      const byRoom = Map.groupBy(await listOfUnhandledRooms(trx, room_names), ({ room_name }) => room_name);
      return new Map([...byRoom].map(([room_name, events]) => [room_name, read(events)]));
    },
  };
}
