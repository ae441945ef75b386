import type { CallDirection } from '../../db/tables.ts';
import type { Session } from './store.ts';

/**
 * The direction of a call; null for a conversation that is not a call. `call_direction` has a fixed set of values and
 * is null for a call in a browser (ADR 0017).
 */
export function directionOf(session: Pick<Session, 'call_status' | 'call_direction'>): CallDirection | 'WEB' | null {
  if (session.call_status === null) return null;
  return session.call_direction ?? 'WEB';
}

/** The numbers of the caller and the callee, as far as they are known. */
export function numbersOf(
  session: Pick<Session, 'call_direction' | 'our_number' | 'caller_number' | 'outbound_phone_number'>,
) {
  return session.call_direction === 'INBOUND'
    ? { from_number: session.caller_number, to_number: session.our_number }
    : { from_number: session.our_number, to_number: session.outbound_phone_number };
}
