import type { Clock } from '../lib/clock.ts';
import type { Logger } from '../lib/log.ts';
import type { Leaving, Media, Participant } from '../providers/media/media.ts';
import type { Session, Sessions } from '../sessions/sessions.ts';
import type { Transfers } from './transfer.ts';
import { isTarget } from './transfer-records.ts';

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
 * Ends calls that are over, judged by who is still in the room: a call needs its own phone and somebody to talk to.
 * While an outbound phone rings, the process that dials it judges instead: it alone learns the SIP status.
 */
export function createSettle({ clock, log, media, sessions, transfers, limits }: Deps) {
  /** Without a departure nothing tells how it ended: `isDue` says whether its event has been waited for long enough. */
  async function settle(session: Session, left?: Departure, isDue = () => true): Promise<void> {
    if (session.call_status !== 'ANSWERED' && session.call_direction !== 'INBOUND') return;
    // The replacement may not be connected yet. If it never comes, the reconciler settles the call.
    if (left?.leaving === 'replaced' || (left && isStale(session, left))) return;
    const everybody = await media.listParticipants(session.room_name);
    const present = everybody.filter((participant) => !isSameConnection(participant, left));
    const parties = present.filter(({ kind }) => kind === 'SIP' || kind === 'STANDARD' || kind === 'AGENT');
    const hasAgent = parties.some(({ kind }) => kind === 'AGENT');
    if (hasAgent) await noticeAgents(session, parties);
    const transfer = await transfers.underWay(session.id);
    if (!parties.some(({ kind, identity }) => kind === 'SIP' && !isTarget(identity))) {
      // The transfer that is asking this phone to leave ends the session, or finds it gone.
      if (transfer?.transfer_type === 'COLD') return;
      await over(session, left, isDue);
    } else if (session.call_status === 'ANSWERED' && parties.length < 2) {
      // Until the agent has come, the caller is rightly alone: how long, the reconciler watches.
      if (session.agent_joined_at !== null || left?.kind === 'AGENT') await over(session, left, isDue);
    } else if (transfer?.transfer_type === 'WARM' && !(await transfers.follow(transfer, present, left?.leaving))) {
      if (transfer.status === 'connected' && !hasAgent) await transfers.completeWarm(transfer);
    }
  }

  /**
   * Records that the agent is there. After a restart of the media server its worker may have been called twice: the
   * first goes.
   */
  async function noticeAgents(session: Session, present: Participant[]): Promise<void> {
    if (session.agent_joined_at === null) await sessions.markAgentJoined(session.id);
    for (const { identity } of supersededAgents(present)) {
      const about = { session_id: session.id, identity };
      log.warn(about, 'a second worker came to a call; the first is taken out');
      // One whose server has died stays listed, and no server takes it out: the call has to be settled all the same.
      await media
        .removeParticipant(session.room_name, identity)
        .catch((err: unknown) => log.warn({ err, ...about }, 'the first worker could not be taken out'));
    }
  }

  async function over(session: Session, left: Departure | undefined, isDue: () => boolean): Promise<void> {
    if (isOverTime(session)) {
      // The provider's own limit comes only when ours did not.
      await sessions.end(session, 'max_duration');
    } else if (left?.leaving === 'lost') {
      const lost = { kind: 'failed', at: clock.now(), end_reason: 'media_lost', sip_status_code: null } as const;
      await sessions.apply(session.id, lost);
    } else if (left || isDue()) {
      await sessions.end(session, 'hangup');
    }
  }

  /** Whether the call has lasted as long as a call may. */
  function isOverTime({ started_at }: Session): boolean {
    return started_at !== null && clock.now().getTime() - started_at.getTime() > limits.max_duration_s * 1000;
  }

  /** The worker of a call that had one already has come: by the same name, the older of two goes. */
  async function agentJoined(session: Session): Promise<void> {
    if (session.agent_joined_at === null) await sessions.markAgentJoined(session.id);
    else await noticeAgents(session, await media.listParticipants(session.room_name));
  }

  return { settle, isOverTime, agentJoined };
}

/**
 * Whether an answered phone leaves in a state of before its answer. Its later states were lost, with the media server's
 * Redis for instance, and the bridge is about to connect it again: a phone that hangs up says so before it leaves.
 */
function isStale({ call_status }: Session, { leaving, phone }: Departure): boolean {
  return call_status === 'ANSWERED' && leaving === 'left' && (phone?.state === 'dialing' || phone?.state === 'ringing');
}

function isSameConnection(participant: Participant, left: Departure | undefined): boolean {
  if (!left) return false;
  return left.sid === null ? participant.identity === left.identity : participant.sid === left.sid;
}

/** Agents of whose worker another has come since; workers by other names are somebody's purpose. */
function supersededAgents(participants: Participant[]): Participant[] {
  const joined = ({ joined_at }: Participant) => joined_at?.getTime() ?? 0;
  const agents = participants.filter(({ agent_name }) => agent_name !== null);
  return agents.filter((agent) =>
    agents.some((other) => other.agent_name === agent.agent_name && joined(other) > joined(agent)),
  );
}
