import type { Session } from '../../conversations/sessions/sessions.ts';
import type { Participant, Rooms } from '../../providers/rooms.ts';
import { UNCOUNTED_MS } from './ends.ts';
import { isBrowser, phoneOf } from './parties.ts';
import type { Cause } from './seen.ts';

/**
 * The reason for a look, with the count of people corrected if it has long been zero although somebody is listed. The
 * media server does not repeat a count that its Redis could not take, so that it may be wrong for the rest of the call;
 * whoever is listed may have been lost with a server or a bridge. The server that has the connection knows.
 */
export async function recount(
  { rooms, at }: { rooms: Pick<Rooms, 'isConnected'>; at: Date },
  { call_status, room_name }: Session,
  cause: Cause,
  present: Participant[] | null,
): Promise<Cause> {
  if (call_status !== 'ANSWERED' || cause.kind !== 'round' || cause.people !== 0 || !present) return cause;
  if (at.getTime() - (cause.missingSince ?? at).getTime() <= UNCOUNTED_MS) return cause;
  const caller = phoneOf(present) ?? present.find(isBrowser);
  const isWrong = caller !== undefined && (await rooms.isConnected(room_name, caller.identity));
  return isWrong ? { ...cause, people: 1, missingSince: null } : cause;
}
