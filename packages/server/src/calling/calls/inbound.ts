import type { Agent, Agents, Callable } from '../../conversations/agents/agents.ts';
import { privacyColumns } from '../../conversations/agents/privacy.ts';
import type { Session, Sessions } from '../../conversations/sessions/sessions.ts';
import type { SipFacts } from '../../db/sip-tables.ts';
import { listedHeaders } from '../../lib/sip-headers.ts';
import type { Platform } from '../../platform.ts';
import type { Phones } from '../../providers/phones.ts';
import type { Phone, Rooms } from '../../providers/rooms.ts';
import type { Workers } from '../../providers/workers.ts';
import type { Conductor } from '../conductor/conductor.ts';
import { phoneOf } from '../conductor/parties.ts';
import { type CallData, callDataColumns, limitedBy, roomOf } from '../outbound/call-data.ts';

export type Inbound = ReturnType<typeof createInbound>;

/**
 * Times that a worker is dispatched within its time to join: a dispatch is lost if no worker is free, but a busy one
 * takes seconds to join.
 */
const DISPATCHES = 3;
/** Parts of that time for which a worker that has accepted its job is awaited; later it may have died. */
const AWAITED = 2;
/** Added to the worker's join timeout: the bridge answers once it receives the worker's audio. */
const ANSWER_MS = 10_000;

/** Timers may fire a little early. */
const LATE_MS = 50;

/** Calls of one number to another that begin within a second; no person dials faster. */
export const CALLS_PER_SECOND = 3;
/** Longer than a SIP request is retransmitted (RFC 3261: 32 s). */
const REPEATED_MS = 60_000;

interface Deps extends Pick<Platform, 'db' | 'clock' | 'log'> {
  rooms: Rooms;
  phones: Phones;
  workers: Workers;
  agents: Agents;
  sessions: Sessions;
  conductor: Conductor;
  fallbacks: {
    /** Milliseconds that a worker has to take a call of the agent; null if there is no fallback number. */
    waitOf(agent: Agent): number | null;
    /** Dials the fallback number. False if it must not be dialled. */
    start(session: Session, agent: Agent): Promise<boolean>;
  };
  settings: {
    agent_join_timeout_s: number;
    max_duration_s: number;
    /** Names of the headers that are read. */
    sipHeaders: readonly string[];
  };
}

/** Inbound phone calls. */
export function createInbound(deps: Deps) {
  const { db, clock, log, rooms, phones, workers, agents, sessions, conductor, fallbacks, settings } = deps;
  const { agent_join_timeout_s, sipHeaders } = settings;
  /** When this process has last dispatched the worker of a ringing call, by session; 0 if that failed. */
  const dispatched = new Map<string, number>();

  /**
   * Accepts a phone that has called into a room: creates a session for the agent of the called number, and dispatches
   * its worker. Rejects numbers without an active agent. Idempotent: a missing dispatch is made up for, and a fallback
   * number that is due is dialled.
   */
  async function receive(room_name: string): Promise<void> {
    const participants = await rooms.listParticipants(room_name);
    const phone = phoneOf(participants)?.phone;
    if (!phone) return;
    const agent = phone.our_number ? await agents.findByNumber(phone.our_number, phone.number) : undefined;
    const added = agent?.is_active ? await add(room_name, agent, phone) : undefined;
    const session = added ?? (await sessions.findByRoom(room_name));
    if (!session) {
      log.info({ room_name }, 'rejecting an inbound call: no agent has its number, or its caller repeats it');
      await sessions.closeRoom({ room_name });
    } else if (session.call_status === 'RINGING' && !participants.some(({ kind }) => kind === 'AGENT')) {
      // Its number may have been released since, and be another agent's.
      const served = added ? agent : await agents.ofSession(session);
      if (!served) return;
      watch(session, fallbacks.waitOf(served));
      const sip = sipOf(phone, sipHeaders);
      if (added) await dispatch(served, session, sip);
      else if (isWaitOver(session, served) && (await fallbacks.start(session, served))) return;
      else if (isOverdue(session) && !(await isComing(session))) await dispatch(served, session, sip);
    }
  }

  function isWaitOver({ created_at }: Session, agent: Agent): boolean {
    const waitMs = fallbacks.waitOf(agent);
    return waitMs !== null && clock.now().getTime() - created_at.getTime() >= waitMs;
  }

  async function dispatch(agent: Agent, session: Session, sip: SipFacts): Promise<void> {
    dispatched.set(session.id, clock.now().getTime());
    await workers.dispatchAgent(roomOf(agent, session, { sip })).catch((error: unknown) => {
      if (conductor.isWatching(session.id)) dispatched.set(session.id, 0);
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
    return clock.now().getTime() - since >= (agent_join_timeout_s * 1000) / DISPATCHES;
  }

  /** A worker that has accepted the job is awaited longer than a lost dispatch, but not until the caller is hung up. */
  async function isComing({ room_name, created_at }: Session): Promise<boolean> {
    const waited = clock.now().getTime() - created_at.getTime();
    return waited < (AWAITED * agent_join_timeout_s * 1000) / DISPATCHES && workers.isAgentComing(room_name);
  }

  function add(room_name: string, agent: Callable, phone: Phone): Promise<Session | undefined> {
    return db.transaction().execute(async (trx) => {
      // Serializes the calls to the agent's number.
      if (!(await agents.lock(trx, agent.id, null)).is_active) return undefined;
      const [now, data] = [clock.now(), limitedBy(agent, {}, settings)];
      const session = toSession(room_name, agent, data, phone, sipOf(phone, sipHeaders), now);
      const recent = await sessions.listRecentCalls(trx, session, new Date(now.getTime() - REPEATED_MS));
      const isOneTooMany = isRepeated(phone, recent, now);
      return isOneTooMany ? undefined : sessions.add(trx, session);
    });
  }

  /** Looks at a call until it has begun, and again when a worker has had `waitMs` to take it. */
  function watch(session: Session, waitMs: number | null): void {
    if (conductor.isWatching(session.id)) return;
    const over = new AbortController();
    if (waitMs !== null) void takeLater(session, waitMs, over.signal);
    void conductor
      .watch(session, agent_join_timeout_s * 1000 + ANSWER_MS)
      .then(() => begun(session))
      .catch((err: unknown) =>
        log.warn({ err, session_id: session.id }, 'withdrawing the other workers of a call failed'),
      )
      .finally(() => over.abort());
  }

  async function takeLater({ id, room_name, created_at }: Session, waitMs: number, over: AbortSignal): Promise<void> {
    const passedMs = clock.now().getTime() - created_at.getTime();
    try {
      await clock.sleep(Math.max(0, waitMs - passedMs) + LATE_MS, over);
      await receive(room_name);
    } catch (err) {
      // A round of the reconciler does it then.
      if (!over.aborted) log.warn({ err, session_id: id }, 'dialling the fallback number of a call failed');
    }
  }

  /** Keeps only the worker that has joined, if another one may have been dispatched meanwhile. */
  async function begun({ id, room_name, created_at }: Session): Promise<void> {
    const { call_status } = await sessions.get(id, null);
    // One that rings is watched again.
    if (call_status !== 'RINGING') dispatched.delete(id);
    const waited = clock.now().getTime() - created_at.getTime();
    if (call_status === 'ANSWERED' && waited >= (agent_join_timeout_s * 1000) / DISPATCHES)
      await workers.withdrawAgents(room_name);
  }

  return {
    receive,
    /** Whether a room of this name was opened by an inbound call. */
    isInboundRoom: phones.isInboundRoom,
  };
}

/**
 * Whether a call is one that was taken already, which the bridge takes for a new one at each retransmission of its
 * request, or one too many of its caller. Callers who withhold their number are not one caller.
 */
function isRepeated(
  { sip_call_id, caller_id, number }: Phone,
  recent: Pick<Session & { sip_call_id: string | null }, 'sip_call_id' | 'created_at'>[],
  now: Date,
): boolean {
  if (sip_call_id !== null && recent.some((call) => call.sip_call_id === sip_call_id)) return true;
  const isKnown = number !== null || /\d/.test(caller_id ?? '');
  const justNow = recent.filter(({ created_at }) => now.getTime() - created_at.getTime() < 1000);
  return isKnown && justNow.length >= CALLS_PER_SECOND;
}

/** The facts that a call has when it comes in. */
function sipOf({ bridge_call_id, headers }: Phone, names: readonly string[]): SipFacts {
  const headers_in = listedHeaders(headers, names);
  return { ...(bridge_call_id && { bridge_call_id }), ...(Object.keys(headers_in).length > 0 && { headers_in }) };
}

function toSession(room_name: string, agent: Callable, data: CallData, phone: Phone, sip: SipFacts, now: Date) {
  const { number: caller_number, caller_id, sip_call_id, our_number, carrier_call_sid } = phone;
  return {
    room_name,
    user_id: agent.user_id,
    agent_id: agent.id,
    agent_version: agent.version,
    ...privacyColumns(agent, now),
    ...callDataColumns(data),
    callback_url: agent.callback_url,
    caller_number,
    caller_id,
    sip_call_id,
    our_number,
    carrier_call_sid,
    sip: JSON.stringify(sip),
    status: 'CREATED' as const,
    call_direction: 'INBOUND' as const,
    call_status: 'RINGING' as const,
  };
}
