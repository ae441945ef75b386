import type { Agents } from '../../conversations/agents/agents.ts';
import { isFinal, type Sessions } from '../../conversations/sessions/sessions.ts';
import type { Transcripts } from '../../conversations/transcripts/transcripts.ts';
import { afterCommit } from '../../db/after-commit.ts';
import type { Db } from '../../db/tables.ts';
import { AppError } from '../../lib/errors.ts';
import type { TaskKind } from '../../work/tasks.ts';
import { type ChatTurn, ChatTurnResult, MAX_MESSAGES } from './schema.ts';
import { countMessages } from './store.ts';

/** The kind of work that answers the last message of a chat, under the id of its session: one at a time. */
export const CHAT_TURN = 'chat_turn';
const LEASE_MS = 30_000;
const MAX_ATTEMPTS = 3;

interface Deps {
  db: Db;
  agents: Agents;
  sessions: Sessions;
  transcripts: Transcripts;
  /** Called once an answer is committed. */
  onAnswer: (chat_id: string) => void;
}

export type TurnTask = ReturnType<typeof createTurnTask>;

/** The task of a worker to answer the last message of a chat. */
export function createTurnTask({ db, agents, sessions, transcripts, onAnswer }: Deps) {
  /** Null once the chat has ended, its user is erased, or its agent is deleted. */
  async function describe(chat_id: string): Promise<ChatTurn | null> {
    try {
      const session = await sessions.get(chat_id, null, db);
      if (isFinal(session)) return null;
      const agent = await agents.ofSession(session);
      if (!agent) return null;
      const { variables, metadata } = await sessions.callData(chat_id);
      return {
        chat_id,
        user_id: session.user_id,
        agent_id: agent.id,
        agent_version: session.agent_version,
        agent_name: agent.name,
        config: agent.config,
        variables: variables ?? {},
        metadata: metadata ?? {},
        messages: await messagesOf(chat_id),
      };
    } catch (error) {
      if (error instanceof AppError && error.code === 'not_found') return null;
      throw error;
    }
  }

  async function messagesOf(chat_id: string): Promise<ChatTurn['messages']> {
    const messages: ChatTurn['messages'] = [];
    let after: string | null = null;
    do {
      const page: Awaited<ReturnType<Transcripts['list']>> = await transcripts.list(
        chat_id,
        { limit: MAX_MESSAGES, after },
        null,
      );
      messages.push(...page.items.map(({ speaker, content }) => ({ speaker, content })));
      after = page.next_cursor;
    } while (after !== null);
    return messages;
  }

  /** Adds the answer to the transcript. Throws `lease_lost` if the chat has ended meanwhile. */
  async function complete(trx: Db, chat_id: string, { content }: ChatTurnResult): Promise<void> {
    const session = await sessions.lock(trx, chat_id);
    if (isFinal(session) || (await countMessages(trx, chat_id)) === undefined) throw new AppError('lease_lost');
    await transcripts.addTo(trx, session, { speaker: 'AGENT', content });
    afterCommit(trx, () => onAnswer(chat_id));
  }

  const kind = {
    result: ChatTurnResult,
    leaseMs: LEASE_MS,
    maxAttempts: MAX_ATTEMPTS,
    describe,
    complete: (trx, key, result) => complete(trx, key, result as ChatTurnResult),
  } satisfies TaskKind;
  return { describe, complete, kind };
}
