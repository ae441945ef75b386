import { directionOf, type Session } from '../../conversations/sessions/sessions.ts';
import type { Participant } from '../../providers/rooms.ts';
import { phoneOf } from './parties.ts';

/** The time of an event by the provider's clock, null if it does not say, and by the clock of the receiving process. */
export interface EventTime {
  created_at: Date | null;
  received_at: Date;
}

/** The provider's times are whole seconds, rounded down. */
const PRECISION_MS = 1_000;
/** Longest delay that is believed. The media server drops events that it cannot deliver within 30 s. */
const MAX_DELAY_MS = 60_000;
/** Difference of the two clocks that is not noticed. */
const MAX_SKEW_MS = 1_000;

/**
 * When an event of a call happened, at most a second late: by the provider's clock, or on its receipt if that clock
 * is wrong. Never before the call was answered, and never after the receipt.
 */
export function happenedAt(
  { created_at, received_at }: EventTime,
  session: Session,
  participants: Participant[],
): Date {
  if (created_at === null || !isTrusted(session, participants)) return received_at;
  const at = Math.max(created_at.getTime() + PRECISION_MS, (session.started_at ?? session.created_at).getTime());
  const delay = received_at.getTime() - at;
  return delay > 0 && delay <= MAX_DELAY_MS ? new Date(at) : received_at;
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
