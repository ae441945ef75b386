import { directionOf, isFinal, type Session } from '../../conversations/sessions/sessions.ts';
import type { Participant } from '../../providers/rooms.ts';
import { decideAnswered } from './answered.ts';
import {
  asDeparted,
  endOf,
  ends,
  fails,
  goneAt,
  isAgentLate,
  isOverTime,
  joinedAt,
  leftOf,
  MISSED,
  missingSince,
  NOTHING,
  type Now,
  tellsAnotherEnd,
} from './ends.ts';
import { isAgent, joinedMs, supersededAgents, transferOf } from './parties.ts';
import type { Action, Cause, Decision, Departure, Round, Seen } from './seen.ts';
import { decideUnanswered } from './unanswered.ts';

/** Whether a decision needs to know who is in the room: the cheap part, which most events and rounds pass. */
export function needsRoom({ call, cause, isDialed }: Omit<Seen, 'present' | 'transfer'>, now: Now): boolean {
  if (isFinal(call)) return false;
  const isRingingOut = call.call_status === 'RINGING' && call.call_direction === 'OUTBOUND';
  switch (cause.kind) {
    case 'joined':
      if (cause.participant.kind === 'SIP') return false;
      return directionOf(call) === 'WEB' || (cause.participant.kind === 'AGENT' && call.agent_joined_at !== null);
    case 'left':
      if (!hasLeft(call, cause.participant)) return false;
      return call.call_status !== null && !isRingingOut;
    case 'room_ended':
      return !isRingingOut;
    case 'audio_started':
      return call.call_direction === 'INBOUND' && call.call_status === 'RINGING';
    case 'round':
      // Requests about an abandoned room take seconds and fail.
      return cause.people !== null && !cause.isAbandoned && isSuspicious(call, cause, isDialed, now);
    default:
      return true;
  }
}

/** The count of people is only a hint: it is some seconds old. */
function isSuspicious(call: Session, { people, isSampled }: Round, isDialed: boolean, now: Now): boolean {
  if (isSampled || isOverTime(call, now)) return true;
  if (call.call_status === 'ANSWERED')
    return isAgentLate(call, now) || (people ?? 0) < (call.transfer_type === 'WARM' ? 2 : 1);
  return call.call_direction !== 'OUTBOUND' || !isDialed;
}

/**
 * Whether the end of a connection says that its participant has left. Otherwise its replacement may not be connected
 * yet; if it never is, the reconciler settles the call. Nobody reconnects to a room that is gone.
 */
export function hasLeft(call: Session, departure: Departure, isRoomGone = false): boolean {
  return departure.leaving !== 'replaced' && (isRoomGone || !isStale(call, departure));
}

/**
 * Whether a phone that was answered leaves with a state from before the answer. Its later states were lost, for example
 * with the media server's Redis, and the bridge is about to reconnect it: a phone that hangs up reports that before it
 * leaves.
 */
function isStale({ started_at }: Session, { leaving, phone }: Departure): boolean {
  return started_at !== null && leaving === 'left' && (phone?.state === 'dialing' || phone?.state === 'ringing');
}

/**
 * Decides whether a call is answered, ended, to be hung up, or to be looked at again. ARCHITECTURE.md and ADR 0025 say
 * what is decided elsewhere, such as by the process that dials a phone, because only it receives the SIP status.
 */
export function decide(seen: Seen, now: Now): Decision {
  const { call, cause, present } = seen;
  // A participant that was about to join a deleted room recreates it; it must not stay open.
  if (isFinal(call) && cause.kind === 'joined')
    return { ...NOTHING, actions: [...recorded(call, [cause.participant], now), { kind: 'hangUp' }] };
  if (isFinal(call)) return tellsAnotherEnd(call, cause) ? act({ kind: 'adjustLine' }) : NOTHING;
  if (cause.kind === 'round') {
    if (cause.people === null || cause.isAbandoned) return withoutRoom(seen, now);
    if (isOverTime(call, now)) return ends('max_duration', now.at);
  }
  if (!present) return join(call, cause, now);
  const left = leftOf(seen);
  // The connection that has left may still be listed. So may a phone that has hung up, for 20 s if the media server
  // missed that it left.
  const isGone = (one: Participant) => one.phone?.state === 'hangup' || (left !== undefined && isSame(one, left));
  const found = { ...seen, present: present.filter((one) => !isGone(one)) };
  const decision = isParticipantOfPhoneCall(seen)
    ? NOTHING
    : call.call_status === 'ANSWERED'
      ? decideAnswered(found, now)
      : decideUnanswered(found, now);
  return { ...decision, actions: [...notice(found, now), ...decision.actions] };
}

function isSame({ sid, identity }: Participant, left: Departure): boolean {
  return left.sid === null ? identity === left.identity : sid === left.sid;
}

function withoutRoom(seen: Seen, now: Now): Decision {
  const { call, cause, isDialed } = seen;
  if (isDialed) return NOTHING;
  const since = cause.kind === 'round' && cause.isAbandoned ? now.at : missingSince(seen, now);
  if (!since) return MISSED;
  if (call.call_status !== 'ANSWERED') return fails('interrupted', now.at);
  // The room is gone because its people have left it.
  const ended = asDeparted(seen);
  return seen.departed ? endOf(ended, now, goneAt(ended, now)) : ends('room_ended', since);
}

/** Somebody has joined, and nobody else matters. */
function join(call: Session, cause: Cause, now: Now): Decision {
  if (cause.kind !== 'joined') return NOTHING;
  const { kind } = cause.participant;
  if (kind === 'AGENT') {
    const [record] = recorded(call, [cause.participant], now);
    return record ? act(record) : NOTHING;
  }
  const isCaller = kind === 'SIP' && call.call_direction === 'INBOUND' && call.call_status === 'RINGING';
  return isCaller ? act({ kind: 'dispatch' }) : NOTHING;
}

/** Only calls in browsers begin when somebody joins. */
function isParticipantOfPhoneCall({ call, cause }: Seen): boolean {
  return cause.kind === 'joined' && directionOf(call) !== 'WEB';
}

/**
 * An agent that has joined is recorded. After a restart of the media server its worker may have been dispatched twice:
 * the first one is removed.
 */
function notice(seen: Seen & { present: NonNullable<Seen['present']> }, now: Now): Action[] {
  const { call, present } = seen;
  const left = leftOf(seen);
  const transferId = left ? transferOf(left.identity) : null;
  const at = goneAt(seen, now);
  const hasLeft = transferId && at && !present.some(({ identity }) => identity === left?.identity);
  return [
    ...(hasLeft ? [{ kind: 'endTargetLine' as const, transferId, at }] : []),
    ...recorded(call, present, now),
    ...supersededAgents(present).map((participant) => ({ kind: 'remove' as const, participant })),
  ];
}

/** The first agent that has joined, if none is recorded: when it did, however late that is noticed. */
function recorded(call: Session, present: Participant[], now: Now): Action[] {
  const [agent] = present.filter(isAgent).sort((one, other) => joinedMs(one) - joinedMs(other));
  if (!agent || call.agent_joined_at !== null) return [];
  return [{ kind: 'recordAgent', at: joinedAt(agent, call, present, now) }];
}

function act(action: Action): Decision {
  return { ...NOTHING, actions: [action] };
}
