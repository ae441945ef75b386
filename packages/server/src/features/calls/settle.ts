import type { Clock } from '../../lib/clock.ts';
import type { Logger } from '../../lib/log.ts';
import { BROWSER_IDENTITY, type Leaving, type Media, type Participant } from '../../providers/media/media.ts';
import { directionOf, isFinal, type Session, type Sessions } from '../sessions/sessions.ts';
import { isParty, phoneOf, targetOf } from '../transfers/phones.ts';
import type { Transfers } from '../transfers/transfers.ts';

export type Settle = ReturnType<typeof createSettle>;

/** A connection to a room that has just ended, and how. */
export type Departure = Participant & { leaving: Leaving };

interface Deps {
  clock: Clock;
  log: Logger;
  media: Media;
  sessions: Sessions;
  transfers: Transfers;
  limits: { max_duration_s: number };
}

/**
 * Ends calls that are over, judged by the participants left in the room: a call needs its own phone or browser, and
 * someone to talk to. While an outbound phone rings, the process that dials it decides instead, because only it
 * receives the SIP status.
 */
export function createSettle({ clock, log, media, sessions, transfers, limits }: Deps) {
  /** Without a departure the end reason is unknown; `isDue` tells whether the event has been awaited long enough. */
  async function settle(session: Session, left?: Departure, isDue = () => true): Promise<void> {
    if (session.call_status !== 'ANSWERED' && session.call_direction === 'OUTBOUND') return;
    if (session.call_status === null || isFinal(session)) return;
    // The replacement may not be connected yet. If it never is, the reconciler settles the call.
    if (left?.leaving === 'replaced' || (left && isStale(session, left))) return;
    const everybody = await media.listParticipants(session.room_name);
    const present = everybody.filter((participant) => !isSameConnection(participant, left));
    const parties = present.filter(isParty);
    if (parties.some(isAgent)) await noticeAgents(session, parties);
    if (directionOf(session) === 'WEB' && session.call_status === 'RINGING')
      await settleWaiting(session, parties, left, isDue);
    else await settleBegun(session, present, left, isDue);
  }

  /** A call that its own phone or browser has joined. */
  async function settleBegun(
    session: Session,
    present: Participant[],
    left: Departure | undefined,
    isDue: () => boolean,
  ): Promise<void> {
    const parties = present.filter(isParty);
    const isWeb = directionOf(session) === 'WEB';
    const transfer = await transfers.inProgress(session.id);
    // Someone missing from a transfer may be reconnecting, unless it is the one that has left.
    const isWarm = transfer?.transfer_type === 'WARM';
    if (!(isWeb ? parties.some(isBrowser) : phoneOf(parties))) {
      // The transfer that makes this phone leave ends the session, or finds that it is gone.
      if (transfer?.transfer_type === 'COLD') return;
      if (isWarm && left && !isOwn(left)) await transfers.follow(transfer, present, left);
      else await over(session, left, isDue);
    } else if (session.call_status === 'ANSWERED' && (isWeb ? !parties.some(isPartner) : parties.length < 2)) {
      // Before the agent joins, a caller alone is normal; the reconciler limits the wait. So it is before the target of
      // a transfer joins; when dialling it has failed, the transfer ends the call.
      const isAwaited = isWarm && (transfer.status === 'pending' || (left && left.identity !== targetOf(transfer)));
      if (!isAwaited && (session.agent_joined_at !== null || left?.kind === 'AGENT')) await over(session, left, isDue);
    } else if (isWarm && !(await transfers.follow(transfer, present, left, isDue))) {
      if (transfer.status === 'connected' && !parties.some(isAgent)) await transfers.completeWarm(transfer);
    }
  }

  /** A call in a browser that has not begun: it begins once both sides are there, and ends when either has left. */
  async function settleWaiting(
    session: Session,
    parties: Participant[],
    left: Departure | undefined,
    isDue: () => boolean,
  ): Promise<void> {
    const hasBrowser = parties.some(isBrowser);
    const hasAgent = parties.some(isAgent);
    const hasLeft = left && (isBrowser(left) ? !hasBrowser : left.kind === 'AGENT' && !hasAgent);
    if (hasBrowser && hasAgent) await sessions.apply(session.id, { kind: 'answered', at: clock.now() });
    else if (hasLeft || (!left && parties.length === 0)) await over(session, left, isDue);
  }

  /**
   * Records that the agent has joined. After a restart of the media server its worker may have been dispatched twice:
   * the first one is removed.
   */
  async function noticeAgents(session: Session, present: Participant[]): Promise<void> {
    if (session.agent_joined_at === null) await sessions.markAgentJoined(session.id);
    for (const { identity, sid } of supersededAgents(present)) {
      const about = { session_id: session.id, identity };
      log.warn(about, 'a second worker joined a call; removing the first');
      // A connection whose server has died stays listed, and no server removes it: settle the call nevertheless.
      await media
        .removeParticipant(session.room_name, identity, sid)
        .catch((err: unknown) => log.warn({ err, ...about }, 'removing the first worker failed'));
    }
  }

  async function over(session: Session, left: Departure | undefined, isDue: () => boolean): Promise<void> {
    if (isOverTime(session)) {
      // The provider's own limit applies only if ours did not.
      await sessions.end(session, 'max_duration');
    } else if (left?.leaving === 'lost') {
      const lost = { kind: 'failed', at: clock.now(), end_reason: 'media_lost', sip_status_code: null } as const;
      await sessions.apply(session.id, lost);
    } else if (left || isDue()) {
      await sessions.end(session, 'hangup');
    }
  }

  /** Whether the call has reached its maximum duration. */
  function isOverTime({ started_at, max_duration_s }: Session): boolean {
    const most = (max_duration_s ?? limits.max_duration_s) * 1000;
    return started_at !== null && clock.now().getTime() - started_at.getTime() > most;
  }

  /** A participant has joined. Removes the older of two workers with the same name; a call in a browser may begin. */
  async function joined(session: Session, { kind }: Participant): Promise<void> {
    if (directionOf(session) === 'WEB') await settle(session, undefined, () => false);
    else if (kind !== 'AGENT') return;
    else if (session.agent_joined_at === null) await sessions.markAgentJoined(session.id);
    else await noticeAgents(session, await media.listParticipants(session.room_name));
  }

  return { settle, isOverTime, joined };
}

/**
 * Whether an answered phone leaves with a state from before the answer. Its later states were lost, for example with
 * the media server's Redis, and the bridge is about to reconnect it: a phone that hangs up reports that before it
 * leaves.
 */
function isStale({ call_status }: Session, { leaving, phone }: Departure): boolean {
  return call_status === 'ANSWERED' && leaving === 'left' && (phone?.state === 'dialing' || phone?.state === 'ringing');
}

/** Whether a participant is the call's browser. */
export function isBrowser({ kind, identity }: Participant): boolean {
  return kind === 'STANDARD' && identity === BROWSER_IDENTITY;
}

/** Whether a participant is the call's own phone or browser. */
function isOwn(participant: Participant): boolean {
  return isBrowser(participant) || phoneOf([participant]) !== undefined;
}

function isAgent({ kind }: Participant): boolean {
  return kind === 'AGENT';
}

/** Whether a participant can talk to a browser: listeners cannot. */
function isPartner({ kind }: Participant): boolean {
  return kind === 'AGENT' || kind === 'SIP';
}

function isSameConnection(participant: Participant, left: Departure | undefined): boolean {
  if (!left) return false;
  return left.sid === null ? participant.identity === left.identity : participant.sid === left.sid;
}

/** Agents whose worker has been replaced by a newer one; workers with other names are intentional. */
function supersededAgents(participants: Participant[]): Participant[] {
  const joined = ({ joined_at }: Participant) => joined_at?.getTime() ?? 0;
  const agents = participants.filter(({ agent_name }) => agent_name !== null);
  return agents.filter((agent) =>
    agents.some((other) => other.agent_name === agent.agent_name && joined(other) > joined(agent)),
  );
}
