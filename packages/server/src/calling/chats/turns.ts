import { type Idempotency, once } from '../../access/idempotency/idempotency.ts';
import { isFinal, type Session, type Sessions } from '../../conversations/sessions/sessions.ts';
import type { Transcripts } from '../../conversations/transcripts/transcripts.ts';
import type { Db } from '../../db/tables.ts';
import { AppError } from '../../lib/errors.ts';
import type { Platform } from '../../platform.ts';
import { MAX_MESSAGES } from './schema.ts';
import { countMessages, deleteEvents, findFailure, listToolCalls, setFailure } from './store.ts';
import type { TurnSignals } from './turn-signals.ts';
import { CHAT_TURN } from './turn-task.ts';

/** After its time is over, how long a message still keeps the next one from being sent, unless it is given up first. */
const GRACE_MS = 500;

/** A message that waits for its answer. */
export interface Turn {
  chat_id: string;
  /** The message to be answered. */
  message_id: string;
  /** Whether it waited for its answer when it was asked for; a repeated request may come later. */
  isOpen: boolean;
  /** Resolves once the message is answered or given up, whether or not anybody reads the answer. */
  over: Promise<void>;
}

interface Deps extends Pick<Platform, 'db' | 'clock' | 'work'> {
  sessions: Sessions;
  transcripts: Transcripts;
  signals: TurnSignals;
  /** How long a message waits for its answer. */
  answerMs: number;
  is_simulated: boolean;
}

export type Turns = ReturnType<typeof createChatTurns>;

/** Messages to agents, and their answers. */
export function createChatTurns({ db, clock, work, sessions, transcripts, signals, answerMs, is_simulated }: Deps) {
  const stopping = new AbortController();
  /** Waits for answers in this process, by message: repeated requests wait together. */
  const watched = new Map<string, Promise<void>>();

  /**
   * Sends a message, once per key: a repeated request gets the turn of the first one. Throws `session_over`,
   * `turn_in_progress`, and `chat_full`.
   */
  async function ask({ id, user_id }: Session, content: string, idempotency: Idempotency | null): Promise<Turn> {
    const { answer, first } = await once(db, user_id, idempotency, async (trx) => ({
      message_id: await add(trx, id, content),
    }));
    const { message_id } = answer;
    const isOpen = first || (await isPending(id, message_id));
    const over = isOpen ? watchOnce(id, message_id) : Promise.resolve();
    return { chat_id: id, message_id, isOpen, over };
  }

  /** Whether this message waits for its answer, and not the next one, which has the same key. */
  async function isPending(id: string, message_id: string, within = db): Promise<boolean> {
    return (await work.payloadOf(CHAT_TURN, id, within))?.message_id === message_id;
  }

  async function add(trx: Db, id: string, content: string): Promise<string> {
    const session = await lockIdle(trx, id);
    // Room for the answer, too.
    if (((await countMessages(trx, id)) ?? 0) >= MAX_MESSAGES) throw new AppError('chat_full');
    await deleteEvents(trx, [id]);
    await setFailure(trx, id, null);
    const message_id = await transcripts.addTo(trx, session, { speaker: 'USER', content });
    const until = clock.now().getTime() + answerMs + GRACE_MS;
    await work.add(trx, [{ kind: CHAT_TURN, key: id, payload: { until, message_id }, user_id: session.user_id }]);
    return message_id;
  }

  /** Locks an open chat that waits for no answer. Throws `session_over`, and `turn_in_progress`. */
  async function lockIdle(trx: Db, id: string): Promise<Session> {
    const session = await sessions.lock(trx, id);
    if (isFinal(session)) throw new AppError('session_over');
    const pending = await work.payloadOf(CHAT_TURN, id, trx);
    if (pending === null) return session;
    // Left by a process that died before it could give the message up.
    if (Number(pending.until) > clock.now().getTime()) throw new AppError('turn_in_progress');
    await work.withdraw(trx, CHAT_TURN, [id]);
    return session;
  }

  function watchOnce(id: string, message_id: string): Promise<void> {
    const known = watched.get(message_id);
    if (known) return known;
    const over = watch(id, message_id).finally(() => watched.delete(message_id));
    watched.set(message_id, over);
    // A failing database fails those who wait, if anybody does.
    over.catch(() => {});
    return over;
  }

  /** Gives a message up, and not the next one, which may have been sent to another process since. */
  async function giveUp(id: string, message_id: string): Promise<void> {
    await db.transaction().execute(async (trx) => {
      await sessions.lock(trx, id);
      if (await isPending(id, message_id, trx)) await work.withdraw(trx, CHAT_TURN, [id]);
    });
  }

  /** Waits until a turn is over, and gives it up at its deadline. */
  async function watch(id: string, message_id: string): Promise<void> {
    const deadline = performance.now() + answerMs;
    try {
      while (!stopping.signal.aborted) {
        const changed = signals.next(id);
        if (!(await isPending(id, message_id))) break;
        const left = deadline - performance.now();
        if (left <= 0) await giveUp(id, message_id);
        else await pause(left, changed);
      }
    } finally {
      signals.fire(id);
    }
  }

  /** Until one of the signals fires; for `ms` at most. */
  async function pause(ms: number, ...until: AbortSignal[]): Promise<void> {
    await clock.sleep(ms, AbortSignal.any([...until, stopping.signal])).catch(() => {});
  }

  /** The answer to a message. Throws `turn_unanswered`. */
  async function answerTo({ chat_id, message_id: in_reply_to, over }: Turn) {
    await over;
    const { items } = await transcripts.list(chat_id, { limit: 1, after: in_reply_to }, null);
    const [answer] = items;
    // The next message of the user, if this one was given up.
    if (answer?.speaker !== 'AGENT') throw await unanswered(chat_id);
    const { id: message_id, content, timestamp } = answer;
    const tool_calls = (await listToolCalls(db, chat_id)).get(message_id) ?? [];
    return { chat_id, message_id, in_reply_to, content, timestamp, tool_calls, is_simulated };
  }

  async function unanswered(chat_id: string): Promise<AppError> {
    const detail = await findFailure(db, chat_id);
    return new AppError('turn_unanswered', detail === null ? { retry_after_s: 1 } : { detail });
  }

  return {
    ask,
    answerTo,
    lockIdle,
    pause,
    stop: (): void => stopping.abort(),
  };
}
