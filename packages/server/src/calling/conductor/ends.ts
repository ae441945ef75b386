import { directionOf, type Session } from '../../conversations/sessions/sessions.ts';
import type { Participant } from '../../providers/rooms.ts';
import { isOwn, phoneOf } from './parties.ts';
import type { Cause, Decision, Departure, EventTime, Seen } from './seen.ts';

export interface Limits {
  max_duration_s: number;
  ringing_timeout_s: number;
  agent_join_timeout_s: number;
  browser_join_timeout_s: number;
}

/** The time and the limits by which a call is judged. */
export interface Now {
  at: Date;
  limits: Limits;
}

/**
 * Grace period in which a room or a participant may be missing: before it is created, and while it reconnects or the
 * event of its end is being handled.
 */
export const GRACE_MS = 5_000;
/** How long the people count of a room with listed participants may be zero; the count is some seconds old. */
export const UNCOUNTED_MS = 20_000;

/** The provider's times are whole seconds, rounded down. */
const PRECISION_MS = 1_000;
/** Longest delay that is believed. The media server drops events that it cannot deliver within 30 s. */
const MAX_DELAY_MS = 60_000;
/** Difference of the two clocks that is not noticed. */
const MAX_SKEW_MS = 1_000;

export const NOTHING: Decision = { signals: [], actions: [], isMissed: false };
/** Somebody is missing who may come back. */
export const MISSED: Decision = { ...NOTHING, isMissed: true };

export function fails(end_reason: string, at: Date): Decision {
  return { ...NOTHING, signals: [{ kind: 'failed', at, end_reason, sip_status_code: null }] };
}

/** The participant whose departure was reported. */
export function leftOf({ cause }: Seen): Departure | undefined {
  return cause.kind === 'left' ? cause.participant : undefined;
}

/** The same, with the departure of the call's own phone or browser as the cause if that has been reported. */
export function asDeparted<T extends Seen>(seen: T): T {
  return seen.departed ? { ...seen, cause: { kind: 'left', participant: seen.departed } } : seen;
}

/** Whether no agent has joined an answered call in time, and nobody else has taken it. */
export function isAgentLate({ agent_joined_at, transfer_type, started_at }: Session, { at, limits }: Now): boolean {
  if (agent_joined_at !== null || transfer_type !== null) return false;
  return at.getTime() - (started_at?.getTime() ?? 0) > limits.agent_join_timeout_s * 1000;
}

/** Since when something has been missing, if that is longer than the grace period. */
export function missingSince({ cause }: Seen, { at }: Now, graceMs = GRACE_MS): Date | null {
  const since = cause.kind === 'round' ? cause.missingSince : null;
  return since && at.getTime() - since.getTime() > graceMs ? since : null;
}

/** When somebody who is not in the room has left it; null while they may come back. */
export function goneAt(seen: Seen, now: Now): Date | null {
  const { call, cause, present } = seen;
  switch (cause.kind) {
    case 'left':
      return happenedAt(cause.participant.time, call, [cause.participant, ...(present ?? [])]);
    case 'room_ended':
      return happenedAt(cause.time, call, seen.known ?? []);
    case 'transfer_failed':
      // During a warm transfer everybody may be reconnecting; during a cold one the phone's departure is not handled.
      return cause.transfer_type === 'COLD' ? now.at : null;
    case 'round':
      return missingSince(seen, now) ?? (isAgentLate(call, now) && call.call_status === 'ANSWERED' ? now.at : null);
    default:
      return null;
  }
}

/** Whether the call has reached its maximum duration. */
export function isOverTime({ started_at, max_duration_s }: Session, { at, limits }: Now): boolean {
  const max_ms = (max_duration_s ?? limits.max_duration_s) * 1000;
  return started_at !== null && at.getTime() - started_at.getTime() > max_ms;
}

/** The end of a call that somebody has left at `gone`; null while they may come back. */
export function endOf(seen: Seen, now: Now, gone: Date | null): Decision {
  // The provider's own limit applies only if ours did not.
  if (isOverTime(seen.call, now)) return ends('max_duration', gone ?? now.at);
  if (!gone) return MISSED;
  return leftOf(seen)?.leaving === 'lost' ? fails('media_lost', gone) : ends('hangup', gone);
}

export function ends(end_reason: string, at: Date): Decision {
  return { ...NOTHING, signals: [{ kind: 'ended', at, end_reason }] };
}

/**
 * When an event of a call happened, at most a second late: by the provider's clock, or on its receipt if that clock
 * is wrong. Never before the call was answered, and never after the receipt.
 */
export function happenedAt(time: EventTime, session: Session, participants: Participant[]): Date {
  return believedAt(time, session, participants) ?? time.received_at;
}

/** The same, by the provider's clock only; null if that is not believed. */
export function believedAt(
  { created_at, received_at }: EventTime,
  session: Session,
  participants: Participant[],
): Date | null {
  if (created_at === null || created_at > received_at || !isTrusted(session, participants)) return null;
  const at = created_at.getTime() + PRECISION_MS;
  if (received_at.getTime() - at > MAX_DELAY_MS) return null;
  const begun = (session.started_at ?? session.created_at).getTime();
  return new Date(Math.min(Math.max(at, begun), received_at.getTime()));
}

/** When a participant joined: by the provider's clock if that is believed, within the call and not after `at`. */
export function joinedAt({ joined_at }: Participant, session: Session, present: Participant[], { at }: Now): Date {
  if (joined_at === null || !isTrusted(session, present)) return at;
  const begun = (session.started_at ?? session.created_at).getTime();
  return new Date(Math.min(Math.max(joined_at.getTime(), begun), at.getTime()));
}

/**
 * Whether an event says that the phone or browser of an ended call has left it at another time than was recorded, so
 * that its bill is worth a look. A call that nobody answered has none.
 */
export function tellsAnotherEnd({ call_status, started_at, ended_at, updated_at }: Session, cause: Cause): boolean {
  const time = cause.kind === 'room_ended' ? cause.time : cause.kind === 'left' ? timeOfOwn(cause.participant) : null;
  const left = time?.created_at?.getTime();
  if (left === undefined || call_status === null || started_at === null) return false;
  // A room that is closed after the end says nothing: that is how calls end.
  if (cause.kind === 'room_ended') return updated_at.getTime() - left > PRECISION_MS + MAX_SKEW_MS;
  // A worker may have reported another end than the one until which the call was billed.
  return [ended_at, updated_at].some((at) => at && Math.abs(at.getTime() - left) > PRECISION_MS + MAX_SKEW_MS);
}

function timeOfOwn(departure: Departure): EventTime | null {
  return isOwn(departure) ? departure.time : null;
}

/**
 * Whether the provider's clock is not behind: by it, everybody has joined after the call was recorded. That does not
 * hold for the phone of an inbound call, which opens the room.
 */
function isTrusted(session: Session, participants: Participant[]): boolean {
  const caller = directionOf(session) === 'INBOUND' ? phoneOf(participants)?.identity : undefined;
  const times = participants.flatMap(({ identity, joined_at }) => (identity === caller ? [] : (joined_at ?? [])));
  const earliest = session.created_at.getTime() - MAX_SKEW_MS;
  return times.length > 0 && times.every((joined_at) => joined_at.getTime() >= earliest);
}
