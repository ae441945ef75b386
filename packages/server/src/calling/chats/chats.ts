import type { Idempotency } from '../../access/idempotency/idempotency.ts';
import type { Session, Sessions } from '../../conversations/sessions/sessions.ts';
import type { Transcripts } from '../../conversations/transcripts/transcripts.ts';
import { holdsSession } from '../../db/legal-holds.ts';
import type { Batch } from '../../db/retention-batches.ts';
import type { Db } from '../../db/tables.ts';
import { DAY_MS } from '../../lib/clock.ts';
import { AppError } from '../../lib/errors.ts';
import { timeOf } from '../../lib/ids.ts';
import { InvalidFields } from '../../lib/invalid.ts';
import type { Actor } from '../../lib/principal.ts';
import type { Platform } from '../../platform.ts';
import type { Workers } from '../../providers/workers.ts';
import { createCopies } from './copies.ts';
import { createFollow } from './follow.ts';
import type { NewChat, Opening } from './opening.ts';
import { MAX_MESSAGES } from './schema.ts';
import {
  deleteChats,
  deleteEvents,
  deleteOldEvents,
  deleteOldToolCalls,
  deleteToolCalls,
  deleteTurnsOf,
  isChat,
  setMessages,
} from './store.ts';
import type { TurnSignals } from './turn-signals.ts';
import { CHAT_TURN } from './turn-task.ts';
import { createChatTurns, type Turn } from './turns.ts';

export type Chats = ReturnType<typeof createChats>;

interface Deps extends Pick<Platform, 'db' | 'clock' | 'work'> {
  workers: Workers;
  opening: Opening;
  sessions: Sessions;
  transcripts: Transcripts;
  signals: TurnSignals;
  /** How long a message waits for its answer. */
  answerMs: number;
  /** TRANSCRIPT_RETENTION_DAYS; undefined: forever. */
  wordsDays: number | undefined;
}

/** Conversations in writing: sessions whose messages are answered by workers, as tasks. */
export function createChats(deps: Deps) {
  const { db, workers, work, opening, sessions, transcripts, signals, wordsDays } = deps;
  const is_simulated = workers.answerChat !== undefined;
  const turns = createChatTurns({ ...deps, is_simulated });
  const follow = createFollow({ db, turns, signals });

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

  /** Sends a message, once per key. Throws `not_found`, `session_over`, `turn_in_progress`, and `chat_full`. */
  async function send(chat_id: string, content: string, from: Omit<Caller, 'actor'>): Promise<Turn> {
    return turns.ask(await sessionOf(chat_id, from.user_id), content, from.idempotency);
  }

  /**
   * Deletes the messages after one of them, or all of them. Throws `not_found`, `session_over`, `turn_in_progress`,
   * `legal_hold`, and `InvalidFields` for a message that is not of this chat.
   */
  async function rewind(chat_id: string, to_message: string | null, caller: string | null) {
    const session = await sessionOf(chat_id, caller);
    await db.transaction().execute(async (trx) => {
      await turns.lockIdle(trx, session.id);
      if (await holdsSession(trx, session.id)) throw new AppError('legal_hold');
      const said = await transcripts.listAll(session.id, MAX_MESSAGES, trx);
      const kept = upTo(said, to_message);
      const dropped = said.slice(kept.length).map(({ id }) => id);
      await transcripts.remove(trx, session.id, dropped);
      await deleteToolCalls(trx, session.id, dropped);
      await setMessages(trx, session.id, kept.length);
      await deleteEvents(trx, [session.id]);
    });
    return view(session);
  }

  /**
   * Opens a chat that begins with the messages of another one, without what the new one redacts. Throws as `opening`
   * does, and `InvalidFields` for a message that is not of that chat.
   */
  async function fork(chat_id: string, input: Fork, from: Caller) {
    const session = await sessionOf(chat_id, from.user_id);
    const { user_id, agent_id } = session;
    if (agent_id === null) throw new AppError('not_found');
    // Before the words are: once they are deleted, it says nothing.
    const until = await sessions.keptUntil(session.id);
    const said = await transcripts.listAll(session.id, MAX_MESSAGES);
    const kept = input.to_message === undefined ? said : upTo(said, input.to_message);
    const transcripts_until = earliest(until.transcripts_until, goneAt(kept, wordsDays));
    const rules = { privacy: session.privacy, ...until, transcripts_until };
    const { variables, metadata } = await sessions.callData(session.id);
    const agent_version = input.agent_version ?? session.agent_version ?? undefined;
    const fill = createCopies(deps, session, kept);
    // It may be that of the agent, which gets nothing of drafts.
    const callback_url = agent_version === 'draft' ? null : session.callback_url;
    const data = { agent_id, agent_version, callback_url, variables, metadata };
    return get(await opening.open(user_id, data, from.idempotency, from.actor, { rules, fill }), user_id);
  }

  /** Ends a chat; a message that waits for its answer gets none. No effect on an ended one. */
  async function end(chat_id: string, caller: string | null) {
    const session = await sessionOf(chat_id, caller);
    const ended = await sessions.end(session, 'hangup');
    await work.withdraw(db, CHAT_TURN, [session.id]);
    await deleteEvents(db, [session.id]);
    return view(ended);
  }

  async function view({ id: chat_id, agent_id, agent_version, user_id, status, started_at, ended_at }: Session) {
    const direction = 'CHAT' as const;
    const timeline = await sessions.timeline(chat_id);
    return {
      timeline,
      chat_id,
      direction,
      agent_id,
      agent_version,
      user_id,
      status,
      started_at,
      ended_at,
      is_simulated,
    };
  }

  return {
    start,
    get,
    send,
    /** The answer to a message. Throws `turn_unanswered`. */
    answerTo: turns.answerTo,
    /** The same while it comes, as events; until `gone` fires. */
    follow,
    rewind,
    fork,
    end,
    stop: turns.stop,
    /** Deletes what a chat has left of its last turn, which ended without `end`. */
    deleteOlder: (batch: Batch) => deleteOldEvents(db, batch),
    /** The same for the calls of tools of all turns. */
    deleteOlderToolCalls: (batch: Batch) => deleteOldToolCalls(db, batch),
    /** Deletes what was said beside the messages themselves. */
    eraseWords: deleteTurnsOf,
    erase: async (trx: Db, ids: string[]): Promise<void> => {
      await work.withdraw(trx, CHAT_TURN, ids);
      await deleteChats(trx, ids);
    },
  };
}

interface Fork {
  /** The last message of the new chat; null for none, absent for all. */
  to_message?: string | null | undefined;
  agent_version?: number | 'draft' | undefined;
}

interface Caller {
  user_id: string | null;
  idempotency: Idempotency | null;
  actor: Actor;
}

/** The messages up to one of them, or none. */
function upTo<T extends { id: string }>(said: T[], last: string | null): T[] {
  if (last === null) return [];
  const index = said.findIndex(({ id }) => id === last.toLowerCase());
  if (index >= 0) return said.slice(0, index + 1);
  const msg = 'Input should be the id of a message of this chat';
  throw new InvalidFields({ field: 'to_message', msg, type: 'value_error', input: last });
}

/** When the retention deletes the first of these messages: copies of them are younger by their ids. */
function goneAt([first]: { id: string }[], days: number | undefined): Date | null {
  return first && days !== undefined ? new Date(timeOf(first.id).getTime() + days * DAY_MS) : null;
}

const earliest = (one: Date | null, other: Date | null): Date | null =>
  one === null || (other !== null && other < one) ? other : one;
