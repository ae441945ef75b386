import type { CallDirection } from '../../db/tables.ts';
import { AppError } from '../../lib/errors.ts';
import type { Session } from './store.ts';

/** Workers may report for a day after the end: some flush late. */
const ACCEPTED_AFTER_END_MS = 24 * 60 * 60 * 1000;

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

/** The session, if the caller may see it. Throws `not_found`. */
export function owned<T extends Pick<Session, 'user_id'>>(session: T | undefined, caller: string | null): T {
  if (!session || (caller !== null && session.user_id !== caller)) throw new AppError('not_found');
  return session;
}

/** Throws `session_ended` for a session that ended too long ago for its worker's reports. */
export function assertTakesReports({ ended_at }: Pick<Session, 'ended_at'>, now: Date): void {
  if (ended_at && now.getTime() - ended_at.getTime() > ACCEPTED_AFTER_END_MS) throw new AppError('session_ended');
}
