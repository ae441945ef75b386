import type { CallDirection, CallStatus, SessionStatus } from '../../db/tables.ts';
import { AppError } from '../../lib/errors.ts';
import type { Session } from './store.ts';

/** Workers may report for a day after the end: some flush late. */
const ACCEPTED_AFTER_END_MS = 24 * 60 * 60 * 1000;
/** The longest wait for data of an ended session that still arrives. */
export const MAX_DATA_WAIT_MS = 15 * 60_000;

/**
 * The fields of a session that its state machine owns. `call_status` is null for a conversation that is not a phone
 * call.
 */
export interface SessionState {
  status: SessionStatus;
  call_status: CallStatus | null;
  started_at: Date | null;
  ended_at: Date | null;
  /** Seconds, with millisecond precision. */
  duration: number | null;
  end_reason: string | null;
  sip_status_code: number | null;
}

/**
 * Signals to a session: `answered`, the callee picked up; `ended`, it ended normally (a hang-up, a cancellation, a
 * completed transfer); `no_answer`, it rang out; `failed`, everything else. `ended_at` and `duration` are figures
 * reported by a worker or user, if any.
 */
export type Signal =
  | { kind: 'answered'; at: Date }
  | { kind: 'ended'; at: Date; end_reason: string; ended_at?: Date | undefined; duration?: number | undefined }
  | { kind: 'no_answer'; at: Date; end_reason: string; sip_status_code: number | null }
  | { kind: 'failed'; at: Date; end_reason: string; sip_status_code: number | null };

/** Final states are never left. */
export function isFinal(state: Pick<SessionState, 'status'>): boolean {
  return state.status === 'COMPLETED' || state.status === 'FAILED';
}

/** The state after the signal, or null when the signal changes nothing: repeated, late, or not possible from here. */
export function advance(state: SessionState, signal: Signal): SessionState | null {
  if (isFinal(state)) return null;
  switch (signal.kind) {
    case 'answered':
      if (state.status !== 'CREATED') return null;
      return { ...state, status: 'ACTIVE', call_status: inStep(state, 'ANSWERED'), started_at: signal.at };
    case 'ended':
      // Ending an unanswered call cancels it.
      return end(
        state,
        state.call_status === 'RINGING' ? { ...signal, end_reason: 'canceled' } : signal,
        'COMPLETED',
        'COMPLETED',
      );
    case 'no_answer':
      // A no-answer after an answer is ignored.
      return state.status === 'CREATED' ? end(state, signal, 'FAILED', 'NO_ANSWER') : null;
    case 'failed':
      return end(state, signal, 'FAILED', 'FAILED');
  }
}

function end(
  state: SessionState,
  signal: Exclude<Signal, { kind: 'answered' }>,
  status: SessionStatus,
  call_status: CallStatus,
): SessionState {
  return {
    ...state,
    status,
    call_status: inStep(state, call_status),
    end_reason: signal.end_reason,
    sip_status_code: 'sip_status_code' in signal ? signal.sip_status_code : null,
    ...figures(state.started_at, signal.at, signal.kind === 'ended' ? signal : {}),
  };
}

/**
 * The end and the duration of a session, from the reported figures and the current time. Processes agree on the time
 * to within milliseconds only: a current time before the start counts as the start.
 */
export function figures(
  started_at: Date | null,
  now: Date,
  given: { ended_at?: Date | undefined; duration?: number | undefined },
): { ended_at: Date; duration: number } {
  const { duration } = given;
  const ended_at =
    given.ended_at ??
    (started_at && duration !== undefined
      ? new Date(started_at.getTime() + duration * 1000)
      : latest(now, started_at ?? now));
  // Reported figures may put the end before the start; a duration is never negative.
  const seconds = duration ?? Math.max(0, ended_at.getTime() - (started_at ?? ended_at).getTime()) / 1000;
  return { ended_at, duration: Math.round(seconds * 1000) / 1000 };
}

/** The later of two times. */
export function latest(one: Date, other: Date): Date {
  return one < other ? other : one;
}

function inStep(state: SessionState, call_status: CallStatus): CallStatus | null {
  return state.call_status === null ? null : call_status;
}

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

/** Whether its worker may still report what was said: later, what is kept of it may have been deleted. */
export function takesReports({ ended_at }: Pick<Session, 'ended_at'>, now: Date): boolean {
  return !ended_at || now.getTime() - ended_at.getTime() <= ACCEPTED_AFTER_END_MS;
}

/** When the data of an ended session is taken to be complete: `quietMs` after the newest, or once it took too long. */
export function completeAt(ended_at: Date, arrivals: Date[], quietMs: number): Date {
  const newest = Math.max(...arrivals.map((time) => time.getTime()));
  return new Date(Math.min(newest + quietMs, ended_at.getTime() + MAX_DATA_WAIT_MS));
}

/** Throws `session_ended` for a session that ended too long ago for its worker's reports. */
export function assertTakesReports(session: Pick<Session, 'ended_at'>, now: Date): void {
  if (!takesReports(session, now)) throw new AppError('session_ended');
}
