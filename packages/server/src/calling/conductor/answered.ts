import { directionOf } from '../../conversations/sessions/sessions.ts';
import {
  asDeparted,
  endOf,
  fails,
  goneAt,
  isAgentLate,
  leftOf,
  MISSED,
  missingSince,
  NOTHING,
  type Now,
  UNCOUNTED_MS,
} from './ends.ts';
import { hasCaller, hasTarget, isAgent, isBrowser, isOwn, isPartner, isParty, phoneOf, targetOf } from './parties.ts';
import type { Action, Decision, Seen, Transfer } from './seen.ts';

/** Longer than any transfer takes: older ones belong to no living request. */
const ABANDONED_AFTER_MS = 120_000;

/** An answered call: it needs its own phone or browser, and someone to talk to. */
export function decideAnswered(seen: Seen & { present: Participants }, now: Now): Decision {
  const { call, cause, present } = seen;
  // The dialing process decides about the rest.
  if (cause.kind === 'watch') return NOTHING;
  const decision = decideParties(seen, now);
  if (cause.kind !== 'round' || decision.signals.length > 0) return decision;
  // Between two trunks, the target of a transfer is in nobody's list.
  const isAwaited = seen.transfer?.status === 'pending';
  if (isAgentLate(call, now) && !present.some(isAgent) && !hasTarget(present) && !isAwaited)
    return combine(decision, fails('agent_never_joined', now.at));
  // Participants whose media server has died stay listed, even if an agent has joined the room on another server.
  if (cause.people !== 0) return decision;
  const lostSince = missingSince(seen, now, UNCOUNTED_MS);
  return combine(decision, lostSince ? fails('media_lost', lostSince) : MISSED);
}

type Participants = NonNullable<Seen['present']>;

function decideParties(seen: Seen & { present: Participants }, now: Now): Decision {
  const { call, cause, present } = seen;
  const parties = present.filter(isParty);
  const isWeb = directionOf(call) === 'WEB';
  const left = leftOf(seen);
  const { transfer, actions } = inProgress(seen, now);
  const isWarm = transfer?.transfer_type === 'WARM';
  // Someone missing from a transfer may be reconnecting, unless it is the one that has left.
  if (!(isWeb ? parties.some(isBrowser) : phoneOf(parties))) {
    // The transfer that makes this phone leave ends the session, or finds that it is gone.
    if (transfer?.transfer_type === 'COLD') return NOTHING;
    if (isWarm && left && !isOwn(left) && !seen.departed) return follow(seen, present, transfer, now);
    const ended = asDeparted(seen);
    return combine({ ...NOTHING, actions }, endOf(ended, now, goneAt(ended, now)));
  }
  if (cause.kind === 'transfer_failed' && cause.transfer_type === 'COLD') return NOTHING;
  if (isWeb ? !parties.some(isPartner) : parties.length < 2) {
    // Before the agent joins, a caller alone is normal; rounds limit the wait. So it is before the target of a transfer
    // joins; when dialling it has failed, the call ends.
    const isAwaited = isWarm && (transfer.status === 'pending' || (left && left.identity !== targetOf(transfer)));
    // Without an agent, an inbound call is answered for the fallback number alone.
    const isUnserved = call.call_direction === 'INBOUND' && call.agent_joined_at === null && !call.transfer_type;
    if (isUnserved && !isAwaited) return combine({ ...NOTHING, actions }, fails('agent_never_joined', now.at));
    const isBegun = call.agent_joined_at !== null || call.transfer_type !== null || left?.kind === 'AGENT';
    const hasFailed = cause.kind === 'transfer_failed' || actions.length > 0;
    // The phone or browser is still connected, and is hung up only now.
    const hungUp = goneAt(seen, now) || hasFailed ? now.at : null;
    return combine({ ...NOTHING, actions }, !isAwaited && isBegun ? endOf(seen, now, hungUp) : NOTHING);
  }
  if (!isWarm) return { ...NOTHING, actions };
  const followed = follow(seen, present, transfer, now);
  if (followed.actions.length > 0 || transfer.status !== 'connected') return followed;
  // The process that looks after the consultation may have died, and a phone that has reconnected hears everybody.
  const consultation: Action[] = transfer.is_attended ? [{ kind: 'tendConsultation', transfer }] : [];
  if (parties.some(isAgent)) return { ...followed, actions: consultation };
  return { ...followed, actions: [{ kind: 'completeTransfer', transfer }] };
}

/**
 * The transfer in progress. One whose process has died counts as failed: for a warm one the target's own phone shows
 * whether it has answered; for a cold one the outcome is unknown.
 */
function inProgress(seen: Seen & { present: Participants }, { at }: Now) {
  const { cause, transfer, present } = seen;
  const isOld = transfer?.status === 'pending' && at.getTime() - transfer.updated_at.getTime() > ABANDONED_AFTER_MS;
  if (!transfer || cause.kind !== 'round' || !isOld || isTogether(transfer, present))
    return { transfer, actions: [] as Action[] };
  const failed: Action = { kind: 'failTransfer', transfer, end_reason: 'interrupted', at };
  return { transfer: undefined, actions: [failed] };
}

/**
 * Updates a warm transfer from its target's presence. A target that is missing for another reason than its own
 * departure may be reconnecting.
 */
function follow(seen: Seen, present: Participants, transfer: Transfer, now: Now): Decision {
  if (transfer.status === 'pending' && isTogether(transfer, present)) {
    const actions: Action[] = [{ kind: 'connectTransfer', transfer, at: now.at }];
    // Nobody else may look after its consultation, and its target hears the caller.
    if (transfer.is_attended) actions.push({ kind: 'tendConsultation', transfer });
    return { ...NOTHING, actions };
  }
  const target = targetOf(transfer);
  if (transfer.status !== 'connected' || present.some(({ identity }) => identity === target)) return NOTHING;
  const left = leftOf(seen);
  const at = left && left.identity !== target ? null : goneAt(seen, now);
  if (!at) return MISSED;
  const end_reason = left?.leaving === 'lost' ? 'media_lost' : 'hangup';
  return { ...NOTHING, actions: [{ kind: 'failTransfer', transfer, end_reason, at }] };
}

/** Whether caller and target of a transfer are connected. */
function isTogether(transfer: Transfer, present: Participants): boolean {
  const target = present.find(({ identity }) => identity === targetOf(transfer));
  return target?.phone?.state === 'active' && hasCaller(present);
}

function combine(one: Decision, other: Decision): Decision {
  return {
    signals: [...one.signals, ...other.signals],
    actions: [...one.actions, ...other.actions],
    isMissed: one.isMissed || other.isMissed,
  };
}
