import type { Database } from '../../db/database.ts';
import type { Clock } from '../../lib/clock.ts';
import type { Logger } from '../../lib/log.ts';
import { INBOUND_ROOM_PREFIX, type Media, type Phone } from '../../providers/media/media.ts';
import type { Agent, Agents } from '../agents/agents.ts';
import { roomOf } from '../dialling/worker-job.ts';
import type { Session, Sessions } from '../sessions/sessions.ts';

export type Inbound = ReturnType<typeof createInbound>;

const LOOK_EVERY_MS = 500;
/**
 * Times that a worker is dispatched within its time to join: a dispatch is lost if no worker is free, but a busy one
 * takes seconds to join.
 */
const DISPATCHES = 3;
/** Parts of that time for which a worker that has accepted its job is awaited; later it may have died. */
const AWAITED = 2;
/** Added to the worker's join timeout: the bridge answers once it receives the worker's audio. */
const ANSWER_MS = 10_000;

interface Deps {
  db: Database['db'];
  clock: Clock;
  log: Logger;
  media: Media;
  agents: Agents;
  sessions: Sessions;
  limits: { agent_join_timeout_s: number };
}

/** Inbound phone calls. */
export function createInbound({ db, clock, log, media, agents, sessions, limits }: Deps) {
  const stopping = new AbortController();
  const watched = new Map<string, Promise<void>>();
  /** When this process has last dispatched the worker of a ringing call, by session; 0 if that failed. */
  const dispatched = new Map<string, number>();

  /**
   * Accepts a phone that has called into a room: creates a session for the agent of the called number, and dispatches
   * its worker. Rejects numbers without an active agent. Idempotent: a missing dispatch is made up for.
   */
  async function receive(room_name: string): Promise<void> {
    const participants = await media.listParticipants(room_name);
    const phone = participants.find(({ kind }) => kind === 'SIP')?.phone;
    if (!phone) return;
    const agent = phone.our_number ? await agents.findByNumber(phone.our_number) : undefined;
    const added = agent?.is_active ? await add(room_name, agent, phone) : undefined;
    const session = added ?? (await sessions.findByRoom(room_name));
    if (!session) {
      log.info({ room_name }, 'rejecting an inbound call: no agent has its number');
      await sessions.closeRoom(room_name);
    } else if (agent && session.call_status === 'RINGING' && !participants.some(({ kind }) => kind === 'AGENT')) {
      watch(session);
      if (added || (isOverdue(session) && !(await isComing(session)))) await dispatch(agent, session);
    }
  }

  async function dispatch(agent: Agent, session: Session): Promise<void> {
    dispatched.set(session.id, clock.now().getTime());
    await media.dispatchAgent(roomOf(agent, session)).catch((error: unknown) => {
      if (watched.has(session.id)) dispatched.set(session.id, 0);
      else dispatched.delete(session.id);
      throw error;
    });
  }

  /**
   * Whether the worker was dispatched long enough ago, at the creation of the session if not by this process. A second
   * dispatch brings a second agent, which replaces the first in the middle of its sentence.
   */
  function isOverdue({ id, created_at }: Session): boolean {
    const since = dispatched.get(id) ?? created_at.getTime();
    return clock.now().getTime() - since >= (limits.agent_join_timeout_s * 1000) / DISPATCHES;
  }

  /** A worker that has accepted the job is awaited longer than a lost dispatch, but not until the caller is hung up. */
  async function isComing({ room_name, created_at }: Session): Promise<boolean> {
    const waited = clock.now().getTime() - created_at.getTime();
    return waited < (AWAITED * limits.agent_join_timeout_s * 1000) / DISPATCHES && media.isAgentComing(room_name);
  }

  function add(room_name: string, agent: Agent, phone: Phone): Promise<Session | undefined> {
    return db.transaction().execute(async (trx) => {
      if (!(await agents.lock(trx, agent.id, null)).is_active) return undefined;
      return sessions.add(trx, {
        room_name,
        user_id: agent.user_id,
        agent_id: agent.id,
        callback_url: agent.callback_url,
        caller_number: phone.number,
        our_number: phone.our_number,
        carrier_call_sid: phone.carrier_call_sid,
        status: 'CREATED',
        call_direction: 'INBOUND',
        call_status: 'RINGING',
      });
    });
  }

  // No event reports that the bridge has answered, and a short call could end before the reconciler looks.
  function watch(session: Session): void {
    if (watched.has(session.id)) return;
    const work = untilAnswered(session)
      // Kept if watching fails: the call may still ring, and is watched again.
      .then(() => void dispatched.delete(session.id))
      .catch((err: unknown) => log.warn({ err, session_id: session.id }, 'watching an inbound call failed'))
      .finally(() => watched.delete(session.id));
    watched.set(session.id, work);
  }

  async function untilAnswered(session: Session): Promise<void> {
    const until = performance.now() + limits.agent_join_timeout_s * 1000 + ANSWER_MS;
    while (performance.now() < until) {
      await clock.sleep(LOOK_EVERY_MS, stopping.signal).catch(() => {});
      if (stopping.signal.aborted) return;
      const { call_status } = await sessions.get(session.id, null);
      if (call_status === 'ANSWERED' || (call_status === 'RINGING' && (await answer(session)))) return keepOne(session);
      if (call_status !== 'RINGING') return;
    }
  }

  /** The worker that has joined, if another one may have been dispatched meanwhile. */
  async function keepOne({ id, room_name, created_at }: Session): Promise<void> {
    const waited = clock.now().getTime() - created_at.getTime();
    if (waited < (limits.agent_join_timeout_s * 1000) / DISPATCHES) return;
    await media
      .withdrawAgents(room_name)
      .catch((err: unknown) => log.warn({ err, session_id: id }, 'withdrawing the other workers of a call failed'));
  }

  /** Records that the bridge has answered the caller, if it has; false while it rings. */
  async function answer(session: Session): Promise<boolean> {
    const participants = await media.listParticipants(session.room_name);
    const isActive = participants.some(({ phone }) => phone?.state === 'active');
    if (!isActive || !participants.some(({ kind }) => kind === 'AGENT')) return false;
    await sessions.markAgentJoined(session.id);
    await sessions.apply(session.id, { kind: 'answered', at: clock.now() });
    return true;
  }

  return {
    receive,
    /** Whether a room of this name was opened by an inbound call. */
    isInboundRoom: (room_name: string) => room_name.startsWith(INBOUND_ROOM_PREFIX),
    /** Stops watching; another process, or the next start, continues. */
    stop: async () => {
      stopping.abort();
      await Promise.all(watched.values());
    },
  };
}
