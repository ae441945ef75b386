import type { Clock } from '../../lib/clock.ts';
import { AppError } from '../../lib/errors.ts';
import type { Logger } from '../../lib/log.ts';
import type { Principal } from '../../lib/principal.ts';
import { BROWSER_IDENTITY, type Media } from '../../providers/media/media.ts';
import type { Agent } from '../agents/agents.ts';
import { assertWithin, type CallData, type Durations } from '../dialling/call-data.ts';
import { failureReason } from '../dialling/dialling.ts';
import { roomOf } from '../dialling/worker-job.ts';
import type { Idempotency } from '../idempotency/idempotency.ts';
import type { StreamTokens } from '../live/stream-tokens.ts';
import { isFinal, type Session, type Sessions } from '../sessions/sessions.ts';
import type { WebCall, WebPlacing } from './web-placing.ts';

export type WebCalls = ReturnType<typeof createWebCalls>;

/** Seconds that a room outlives the join timeout: the code that ends the call must find the room. */
const ROOM_GRACE_S = 30;

interface Deps {
  clock: Clock;
  log: Logger;
  media: Media;
  sessions: Sessions;
  streamTokens: StreamTokens;
  place: WebPlacing;
  limits: Durations & { browser_join_timeout_s: number };
}

/** Calls in browsers: recorded, given a room with an agent, and returned to the page as tokens. */
export function createWebCalls({ clock, log, media, sessions, streamTokens, place, limits }: Deps) {
  /**
   * Starts a call and returns all that a page needs. A repeated request gets new tokens for the same call. Throws
   * what `place` throws, `ProviderError` if the room cannot be created, and `session_over` if the call has ended.
   */
  async function start(user_id: string, input: WebCall, idempotency: Idempotency | null, principal: Principal | null) {
    assertWithin(limits, input);
    const { call_id, begun } = await place(user_id, input, idempotency);
    if (begun) await makeRoom(begun.agent, begun.session, input);
    const session = await sessions.get(call_id, user_id);
    if (isFinal(session)) {
      // It may have been ended before its room was created.
      if (begun) await sessions.closeRoom(session.room_name);
      throw new AppError('session_over');
    }
    return credentials(session, principal);
  }

  /** Creates the room and dispatches the agent's worker. Without a room the call fails. */
  async function makeRoom(agent: Agent, session: Session, data: CallData): Promise<void> {
    const empty_timeout_s = limits.browser_join_timeout_s + ROOM_GRACE_S;
    try {
      await media.createRoom({ ...roomOf(agent, session, data), empty_timeout_s });
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
    const expires_at = new Date(from + limits.browser_join_timeout_s * 1000);
    const ttl_s = Math.max(1, Math.ceil((expires_at.getTime() - now) / 1000));
    const { events_url } = await streamTokens.create(id, user_id, principal);
    const { token, url } = await media.createToken(room_name, BROWSER_IDENTITY, ttl_s);
    return { call_id: id, room_name, url, token, events_url, expires_at };
  }

  return { start };
}
