import type { Idempotency } from '../../access/idempotency/idempotency.ts';
import { isFinal, type Session, type Sessions } from '../../conversations/sessions/sessions.ts';
import type { Transcripts } from '../../conversations/transcripts/transcripts.ts';
import type { Db } from '../../db/tables.ts';
import { AppError } from '../../lib/errors.ts';
import type { Actor } from '../../lib/principal.ts';
import type { Platform } from '../../platform.ts';
import type { Workers } from '../../providers/workers.ts';
import type { NewChat, Opening } from './opening.ts';
import { MAX_MESSAGES } from './schema.ts';
import { countMessages, deleteChats, isChat } from './store.ts';
import { CHAT_TURN } from './turn-task.ts';

export type Chats = ReturnType<typeof createChats>;

/** How often an answer is looked for that another process may have stored. */
const EVERY_MS = 500;

interface Deps extends Pick<Platform, 'db' | 'clock' | 'work'> {
  workers: Workers;
  opening: Opening;
  sessions: Sessions;
  transcripts: Transcripts;
  /** How long a message waits for its answer. */
  answerMs: number;
}

/** Conversations in writing: sessions whose messages are answered by workers, as tasks. */
export function createChats({ db, clock, workers, work, opening, sessions, transcripts, answerMs }: Deps) {
  const is_simulated = workers.answerChat !== undefined;
  /** Messages that wait in this process, by chat: one each. */
  const waiting = new Map<string, AbortController>();

  /** Opens a chat. Throws as `opening` does. */
  async function start(user_id: string, input: NewChat, idempotency: Idempotency | null, actor: Actor) {
    return get(await opening.open(user_id, input, idempotency, actor), user_id);
  }

  /** Throws `not_found`. */
  async function get(chat_id: string, caller: string | null) {
    return view(await sessionOf(chat_id, caller));
  }

  async function sessionOf(chat_id: string, caller: string | null): Promise<Session> {
    const session = await sessions.get(chat_id, caller);
    if (!(await isChat(db, session.id))) throw new AppError('not_found');
    return session;
  }

  /**
   * Sends a message and waits for the answer. Throws `session_over`, `turn_in_progress`, `chat_full`, or
   * `turn_unanswered`.
   */
  async function send(chat_id: string, content: string, caller: string | null) {
    const { id } = await sessionOf(chat_id, caller);
    const message_id = await db.transaction().execute((trx) => ask(trx, id, content));
    const deadline = performance.now() + answerMs;
    while (await work.payloadOf(CHAT_TURN, id)) {
      if (performance.now() > deadline) await work.withdraw(db, CHAT_TURN, [id]);
      else await answerOrPause(id);
    }
    const { items } = await transcripts.list(id, { limit: 1, after: message_id }, null);
    const [answer] = items;
    if (!answer) throw new AppError('turn_unanswered', { retry_after_s: 1 });
    return { chat_id: id, message_id: answer.id, content: answer.content, timestamp: answer.timestamp, is_simulated };
  }

  async function answerOrPause(id: string): Promise<void> {
    const answered = new AbortController();
    waiting.set(id, answered);
    await clock.sleep(EVERY_MS, answered.signal).catch(() => {});
    waiting.delete(id);
  }

  /** Adds a message and the task to answer it. */
  async function ask(trx: Db, id: string, content: string): Promise<string> {
    const session = await sessions.lock(trx, id);
    if (isFinal(session)) throw new AppError('session_over');
    if (await work.payloadOf(CHAT_TURN, id, trx)) throw new AppError('turn_in_progress');
    // Room for the answer, too.
    if (((await countMessages(trx, id)) ?? 0) >= MAX_MESSAGES) throw new AppError('chat_full');
    const message_id = await transcripts.addTo(trx, session, { speaker: 'USER', content });
    await work.add(trx, [{ kind: CHAT_TURN, key: id }]);
    return message_id;
  }

  /** Ends a chat; a message that waits for its answer gets none. No effect on an ended one. */
  async function end(chat_id: string, caller: string | null) {
    const session = await sessionOf(chat_id, caller);
    const ended = await sessions.end(session, 'hangup');
    await work.withdraw(db, CHAT_TURN, [session.id]);
    return view(ended);
  }

  function view({ id: chat_id, agent_id, agent_version, user_id, status, started_at, ended_at }: Session) {
    const direction = 'CHAT' as const;
    return { chat_id, direction, agent_id, agent_version, user_id, status, started_at, ended_at, is_simulated };
  }

  return {
    start,
    get,
    send,
    end,
    /** Wakes the message that waits for this answer. */
    onAnswer: (chat_id: string): void => waiting.get(chat_id)?.abort(),
    erase: async (trx: Db, ids: string[]): Promise<void> => {
      await work.withdraw(trx, CHAT_TURN, ids);
      await deleteChats(trx, ids);
    },
  };
}
