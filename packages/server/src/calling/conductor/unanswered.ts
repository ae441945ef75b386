import { directionOf, type Session } from '../../conversations/sessions/sessions.ts';
import {
  asDeparted,
  endOf,
  ends,
  fails,
  goneAt,
  happenedAt,
  leftOf,
  MISSED,
  missingSince,
  NOTHING,
  type Now,
} from './ends.ts';
import { hasTarget, isAgent, isBrowser, isParty, phoneOf } from './parties.ts';
import type { Decision, Seen } from './seen.ts';

/** How long beyond its ringing timeout a phone is awaited whose dialing process may have died. */
const RINGING_GRACE_MS = 15_000;

type Found = Seen & { present: NonNullable<Seen['present']> };

/** A call that rings, or a conversation that is not a call. */
export function decideUnanswered(seen: Found, now: Now): Decision {
  switch (directionOf(seen.call)) {
    case null:
      return decideConversation(seen, now);
    case 'WEB':
      return decideWeb(seen, now);
    case 'INBOUND':
      return decideInbound(seen, now);
    default:
      return seen.cause.kind === 'round' ? decideOutbound(seen, now) : NOTHING;
  }
}

/** A late event is about a former room of this name. If it is not, the reconciler ends the conversation. */
function decideConversation(seen: Found, now: Now): Decision {
  const hasEnded = seen.cause.kind === 'room_ended' && seen.present.length === 0;
  return hasEnded ? ends('room_ended', goneAt(seen, now) ?? now.at) : NOTHING;
}

/** A call in a browser begins once both sides are there, and ends when either has left. */
function decideWeb(seen: Found, now: Now): Decision {
  const { call, cause, present } = seen;
  const hasBrowser = present.some(isBrowser);
  const hasAgent = present.some(isAgent);
  if (hasBrowser && hasAgent) return answers(now.at);
  const left = leftOf(seen);
  const hasLeft = left && (isBrowser(left) ? !hasBrowser : isAgent(left) && !hasAgent);
  if (hasLeft || (cause.kind === 'room_ended' && !present.some(isParty))) return endOf(seen, now, goneAt(seen, now));
  if (cause.kind !== 'round') return NOTHING;
  if (!hasAgent && age(call, now) > now.limits.agent_join_timeout_s * 1000) return fails('agent_never_joined', now.at);
  const isLate = !hasBrowser && age(call, now) > now.limits.browser_join_timeout_s * 1000;
  return isLate ? fails('browser_never_joined', now.at) : NOTHING;
}

/**
 * The bridge answers an inbound call once it receives the agent's audio, or another phone is in the room: the fallback
 * number, if no worker has come. No event says that it has; the one of the audio does not say whose it is.
 */
function decideInbound(seen: Found, now: Now): Decision {
  const { call, cause, present } = seen;
  const isRound = cause.kind === 'round';
  const phone = phoneOf(present);
  const hasAgent = present.some(isAgent);
  if (cause.kind === 'audio_started') {
    const isOfAgent = present.some((one) => isAgent(one) && one.identity === cause.identity);
    // The event of the departure decides about a caller who is not there.
    return isOfAgent && phone ? answers(happenedAt(cause.time, call, present)) : NOTHING;
  }
  const isTaken = hasAgent || hasTarget(present);
  if ((isRound || cause.kind === 'watch') && isTaken && phone?.phone?.state === 'active') return answers(now.at);
  // Nobody has answered at the fallback number either.
  const isUnserved = cause.kind === 'transfer_failed' && !hasAgent && phone;
  if (isUnserved || (isRound && !isTaken && age(call, now) > now.limits.agent_join_timeout_s * 1000)) {
    const failed = fails('agent_never_joined', now.at);
    // For a fallback number the bridge has answered the caller, who is billed for that.
    if (phone?.phone?.state !== 'active') return failed;
    return { ...failed, signals: [...answers(now.at).signals, ...failed.signals] };
  }
  if (!phone && cause.kind !== 'watch') return leaveInbound(asDeparted(seen), now);
  return isRound && !isTaken ? { ...NOTHING, actions: [{ kind: 'dispatch' }] } : NOTHING;
}

/**
 * An inbound caller has left. It was answered if the agent's sound had begun by then, and the event of that is late: on
 * leaving, the phone shows the same state after a hang-up as after it has given up. Both times are the provider's; the
 * one of the event is rounded down, so that in case of doubt the caller is not charged.
 */
function leaveInbound(seen: Found, now: Now): Decision {
  const { call, present } = seen;
  const left = leftOf(seen);
  const ended = endOf(seen, now, goneAt(seen, now));
  if (!left) return ended;
  const { created_at, received_at } = left.time;
  const heard = present.find((one) => isAgent(one) && one.audio_at && created_at && one.audio_at <= created_at);
  if (!heard && left.phone?.state !== 'active') return ended;
  const time = { created_at: heard?.audio_at ?? created_at, received_at };
  return { ...ended, signals: [...answers(happenedAt(time, call, present)).signals, ...ended.signals] };
}

/**
 * A ringing phone: its own state shows whether it has been answered. Everything else is decided by the process that
 * dials it, unless that is another process, which may have died.
 */
function decideOutbound(seen: Found, now: Now): Decision {
  const { call, isDialed, present } = seen;
  const phone = phoneOf(present);
  if (phone?.phone?.state === 'active') return answers(now.at);
  if (isDialed) return NOTHING;
  if (!phone) return missingSince(seen, now) ? fails('interrupted', now.at) : MISSED;
  const ringsMs = (call.ringing_timeout_s ?? now.limits.ringing_timeout_s) * 1000;
  return age(call, now) > ringsMs + RINGING_GRACE_MS ? fails('interrupted', now.at) : NOTHING;
}

function answers(at: Date): Decision {
  return { ...NOTHING, signals: [{ kind: 'answered', at }] };
}

function age({ created_at }: Session, { at }: Now): number {
  return at.getTime() - created_at.getTime();
}
