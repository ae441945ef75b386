import { type Idempotency, once } from '../../access/idempotency/idempotency.ts';
import type { Agents, Callable } from '../../conversations/agents/agents.ts';
import { privacyColumns } from '../../conversations/agents/privacy.ts';
import { isFinal, type Session, type Sessions } from '../../conversations/sessions/sessions.ts';
import type { Versions } from '../../conversations/versions/versions.ts';
import { AppError } from '../../lib/errors.ts';
import { newId } from '../../lib/ids.ts';
import type { Actor, Principal } from '../../lib/principal.ts';
import type { Platform } from '../../platform.ts';
import { failureReason } from '../../providers/provider-error.ts';
import { BROWSER_IDENTITY, type Browsers, type Rooms } from '../../providers/rooms.ts';
import {
  assertRecordable,
  assertWithin,
  type CallData,
  callDataColumns,
  type Durations,
  limitedBy,
  roomOf,
} from '../outbound/call-data.ts';
import type { Limits } from '../outbound/limits.ts';
import type { StreamTokens } from '../streams/stream-tokens.ts';

export type WebCalls = ReturnType<typeof createWebCalls>;

/** Seconds that a room outlives the join timeout: the code that ends the call must find the room. */
const ROOM_GRACE_S = 30;

/** A call in a browser: its agent, its data, and its callback URL. */
interface WebCall extends CallData {
  agent_id: string;
  /** One version of it, whatever is released; or its draft, which becomes a version. */
  agent_version?: number | 'draft' | undefined;
  callback_url?: string | null | undefined;
}

interface Started {
  agent: Callable;
  session: Session;
}

interface Deps extends Pick<Platform, 'db' | 'clock' | 'log'> {
  rooms: Rooms;
  browsers: Browsers;
  agents: Agents;
  versions: Versions;
  sessions: Sessions;
  streamTokens: StreamTokens;
  limits: Limits;
  durations: Durations & { browser_join_timeout_s: number };
}

/** Calls in browsers: recorded, given a room with an agent, and returned to the page as tokens. */
export function createWebCalls(deps: Deps) {
  const { db, clock, log, rooms, browsers, agents, versions, sessions, streamTokens, limits, durations } = deps;

  /**
   * Starts a call and returns all that a page needs. A repeated request gets new tokens for the same call. Throws
   * `not_found`, `agent_inactive`, `too_many_calls`, `budget_exceeded`, `ProviderError` if the room cannot be created,
   * and `session_over` if the call has ended.
   */
  async function start(
    user_id: string,
    input: WebCall,
    idempotency: Idempotency | null,
    principal: Principal | null,
    actor: Actor,
  ) {
    assertWithin(durations, input);
    const { agent_id, agent_version } = input;
    const version = agent_version === 'draft' ? await versions.keepDraft(agent_id, user_id, actor) : agent_version;
    const { call_id, started } = await place(user_id, input, version, idempotency);
    if (started) await makeRoom(started, input);
    const session = await sessions.get(call_id, user_id);
    if (isFinal(session)) {
      // It may have been ended before its room was created.
      if (started) await sessions.closeRoom(session);
      throw new AppError('session_over');
    }
    return credentials(session, principal);
  }

  /**
   * Records the call before its room is created, within the limits for phone calls. `started` is null for a repeated
   * request.
   */
  async function place(user_id: string, input: WebCall, version: number | undefined, idempotency: Idempotency | null) {
    let started: Started | null = null;
    const { answer, first } = await once<{ call_id: string }>(db, user_id, idempotency, async (trx) => {
      // The lock makes an erasure of the user wait until the call is recorded, or the call find the agent gone.
      const [agent] = await agents.share(trx, [{ id: input.agent_id, user_id, version }], true);
      if (!agent || agent instanceof Error) return agent ?? new AppError('not_found');
      if (!agent.is_active) return new AppError('agent_inactive');
      assertRecordable(agent, input);
      const limited = limitedBy(agent, input, durations);
      const refusal = await limits.countCall(trx, { user_id, max_duration_s: limited.max_duration_s });
      if (refusal) return refusal;
      const session = await sessions.add(trx, toSession(agent, limited, clock.now()));
      if (!session) return new AppError('internal_error');
      started = { agent, session };
      return { call_id: session.id };
    });
    return { call_id: answer.call_id, started: first ? (started as Started | null) : null };
  }

  /** Creates the room and dispatches the agent's worker. Without a room the call fails. */
  async function makeRoom({ agent, session }: Started, data: CallData): Promise<void> {
    const empty_timeout_s = durations.browser_join_timeout_s + ROOM_GRACE_S;
    try {
      await rooms.createRoom({ ...roomOf(agent, session, data), empty_timeout_s });
    } catch (err) {
      log.error({ err, session_id: session.id }, 'creating the room of a browser call failed');
      const end_reason = failureReason(err);
      await sessions.apply(session.id, { kind: 'failed', at: clock.now(), end_reason, sip_status_code: null });
      throw err;
    }
  }

  async function credentials(
    { id, user_id, room_name, call_status, created_at }: Session,
    principal: Principal | null,
  ) {
    const now = clock.now().getTime();
    // A call whose browser does not join in time is ended, and its token expires then.
    const from = call_status === 'RINGING' ? created_at.getTime() : now;
    const expires_at = new Date(from + durations.browser_join_timeout_s * 1000);
    const ttl_s = Math.max(1, Math.ceil((expires_at.getTime() - now) / 1000));
    const { events_url } = await streamTokens.create(id, user_id, principal);
    const { token, url } = await browsers.createToken(room_name, BROWSER_IDENTITY, ttl_s);
    return { call_id: id, room_name, url, token, events_url, expires_at };
  }

  return { start };
}

function toSession(agent: Callable, input: WebCall, dispatched_at: Date) {
  return {
    room_name: `web-${newId()}`,
    user_id: agent.user_id,
    agent_id: agent.id,
    agent_version: agent.version,
    ...privacyColumns(agent, dispatched_at),
    callback_url: input.callback_url ?? agent.callback_url,
    status: 'CREATED' as const,
    call_status: 'RINGING' as const,
    dispatched_at,
    ...callDataColumns(input),
  };
}
