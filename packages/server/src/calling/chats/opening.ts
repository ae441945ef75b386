import { type Idempotency, once } from '../../access/idempotency/idempotency.ts';
import type { Agents, Callable } from '../../conversations/agents/agents.ts';
import { type Inherited, privacyColumns } from '../../conversations/agents/privacy.ts';
import type { Session, Sessions } from '../../conversations/sessions/sessions.ts';
import type { Versions } from '../../conversations/versions/versions.ts';
import type { Db } from '../../db/tables.ts';
import { AppError } from '../../lib/errors.ts';
import { newId } from '../../lib/ids.ts';
import type { Actor } from '../../lib/principal.ts';
import type { Platform } from '../../platform.ts';
import { type CallData, callDataColumns } from '../outbound/call-data.ts';
import type { Limits } from '../outbound/limits.ts';
import { insertChat } from './store.ts';

export type Opening = ReturnType<typeof createOpening>;

export interface NewChat extends CallData {
  agent_id: string;
  /** The agent's by default; none by default for a copy. */
  callback_url?: string | null | undefined;
  /** One version of it, whatever is released; or its draft, which becomes a version. */
  agent_version?: number | 'draft' | undefined;
}

/** Beginning of a chat that is a copy. */
interface Beginning {
  /** The rules of the chat that it is from. */
  rules: Inherited;
  fill: (trx: Db, session: Session) => Promise<void>;
}

interface Deps extends Pick<Platform, 'db' | 'clock'> {
  agents: Agents;
  versions: Versions;
  sessions: Sessions;
  limits: Limits;
}

/** Records new chats, which count like calls. */
export function createOpening({ db, clock, agents, versions, sessions, limits }: Deps) {
  /**
   * Returns the id of the chat, to which `from.fill` may add messages. Throws `not_found`, `agent_inactive`,
   * `too_many_calls`, `budget_exceeded`, and `InvalidFields` for a version that the agent has not.
   */
  async function open(
    user_id: string,
    input: NewChat,
    idempotency: Idempotency | null,
    actor: Actor,
    from: Beginning | null = null,
  ): Promise<string> {
    const { agent_id, agent_version } = input;
    const version = agent_version === 'draft' ? await versions.keepDraft(agent_id, user_id, actor) : agent_version;
    const { answer } = await once<{ chat_id: string }>(db, user_id, idempotency, async (trx) => {
      // The lock makes an erasure of the user wait until the chat is recorded, or the chat find the agent gone.
      const [agent] = await agents.share(trx, [{ id: agent_id, user_id, version }], true);
      if (!agent || agent instanceof Error) return agent ?? new AppError('not_found');
      if (!agent.is_active) return new AppError('agent_inactive');
      const refusal = await limits.countCall(trx, { user_id, isChat: true });
      if (refusal) return refusal;
      const session = await sessions.add(trx, toSession(agent, input, clock.now(), from?.rules));
      if (!session) return new AppError('internal_error');
      await insertChat(trx, session.id);
      await from?.fill(trx, session);
      return { chat_id: session.id };
    });
    return answer.chat_id;
  }

  return { open };
}

function toSession(agent: Callable, input: NewChat, now: Date, inherited?: Inherited) {
  // Trying a draft is nothing for those who wait for calls; a copy has the URL of its original, or none.
  const isQuiet = input.agent_version === 'draft' || inherited !== undefined;
  return {
    room_name: `chat-${newId()}`,
    user_id: agent.user_id,
    agent_id: agent.id,
    agent_version: agent.version,
    ...privacyColumns(agent, now, inherited),
    status: 'ACTIVE' as const,
    started_at: now,
    dispatched_at: now,
    callback_url: input.callback_url ?? (isQuiet ? null : agent.callback_url),
    ...callDataColumns(input),
  };
}
