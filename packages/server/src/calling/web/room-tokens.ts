import type { Agent, Agents } from '../../conversations/agents/agents.ts';
import { isFinal, type Session, type Sessions } from '../../conversations/sessions/sessions.ts';
import { AppError } from '../../lib/errors.ts';
import { newId } from '../../lib/ids.ts';
import type { Actor } from '../../lib/principal.ts';
import type { Platform } from '../../platform.ts';
import type { Media } from '../../providers/media.ts';
import type { Browsers } from '../../providers/rooms.ts';
import type { Workers } from '../../providers/workers.ts';
import { roomOf } from '../outbound/call-data.ts';
import type { Limits } from '../outbound/limits.ts';

export type RoomTokens = ReturnType<typeof createRoomTokens>;

/** Seconds to connect with a token; connected browsers stay. */
const TTL_S = 600;
/** Seconds to connect: a listener requests the token when joining. */
const LISTEN_TTL_S = 60;
/** Longer than creating a room and a dispatch take: an older request has died. */
const DISPATCH_MS = 30_000;

interface Deps extends Pick<Platform, 'db' | 'clock' | 'audit'> {
  browsers: Browsers;
  workers: Workers;
  media: Media;
  agents: Agents;
  sessions: Sessions;
  limits: Limits;
}

/** Tokens with which browsers join the rooms of sessions. */
export function createRoomTokens({ db, clock, browsers, workers, media, audit, agents, sessions, limits }: Deps) {
  /**
   * A token for the room of the user's session. For a conversation, dispatches the agent first, once. Throws
   * `not_found`, `session_over` once the session has ended, `agent_inactive`, or `too_many_calls`.
   */
  async function create(session_id: string, user_id: string) {
    const session = await sessions.get(session_id, user_id);
    if (isFinal(session)) throw new AppError('session_over');
    if (isWithoutAgent(session)) await callAgent(session, session.agent_id);
    // A unique identity, so that a second tab does not replace the first one.
    const identity = `web-${newId()}`;
    const expires_at = new Date(clock.now().getTime() + TTL_S * 1000);
    return {
      ...(await browsers.createToken(session.room_name, identity, TTL_S)),
      room_name: session.room_name,
      identity,
      expires_at,
    };
  }

  /**
   * A token for listening to an open call, unnoticed; recorded in the audit log. Throws `not_found` if it is not a
   * call or not the caller's, `session_over` once the call has ended.
   */
  async function listen(call_id: string, caller: string | null, actor: Actor) {
    const call = await sessions.get(call_id, caller);
    if (call.call_status === null) throw new AppError('not_found');
    if (isFinal(call)) throw new AppError('session_over');
    const expires_at = new Date(clock.now().getTime() + LISTEN_TTL_S * 1000);
    const access = await browsers.createListenerToken(call.room_name, `listener-${newId()}`, LISTEN_TTL_S);
    await audit.record(db, actor, 'call.listened', `session/${call.id}`, { user_id: call.user_id });
    return { ...access, room_name: call.room_name, expires_at, is_simulated: media.simulated };
  }

  async function callAgent(session: Session, agent_id: string): Promise<void> {
    const agent = await claim(session, agent_id);
    if (agent instanceof AppError) throw agent;
    if (agent === null) return;
    try {
      const kept = agent.version === session.agent_version ? agent : await agents.ofSession(session);
      await workers.ensureAgent(roomOf(kept ?? agent, session));
    } catch (error) {
      await sessions.setDispatched(db, session.id, null);
      throw error;
    }
    // From now on the reconciler ends the conversation once its room is gone.
    await sessions.markRoomsSeen([session.room_name]);
  }

  /** The agent, if this request has to dispatch its worker; null if another request does, or did. */
  function claim({ id, user_id }: Session, agent_id: string): Promise<Agent | AppError | null> {
    return db.transaction().execute(async (trx) => {
      const [agent] = await agents.share(trx, [{ id: agent_id, user_id }], true);
      if (!agent || agent instanceof Error || !agent.is_active) return new AppError('agent_inactive');
      const session = await sessions.lock(trx, id);
      if (isFinal(session)) return new AppError('session_over');
      const { dispatched_at } = session;
      const now = clock.now();
      if (dispatched_at !== null && now.getTime() - dispatched_at.getTime() < DISPATCH_MS) return null;
      // A dispatch that a dead request began is counted already.
      const refusal = dispatched_at === null ? await limits.countCall(trx, { user_id }) : null;
      if (refusal) return refusal;
      await sessions.setDispatched(trx, id, now);
      return agent;
    });
  }

  return { create, listen };
}

/**
 * Whether a conversation has an agent that has not joined yet. The agent of a call is dispatched when the call
 * begins.
 */
function isWithoutAgent(session: Session): session is Session & { agent_id: string } {
  return session.call_status === null && session.agent_id !== null && session.agent_joined_at === null;
}
