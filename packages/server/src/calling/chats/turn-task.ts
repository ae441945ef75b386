import type { Agents } from '../../conversations/agents/agents.ts';
import { withRules } from '../../conversations/agents/privacy.ts';
import { isFinal, type Sessions } from '../../conversations/sessions/sessions.ts';
import type { Transcripts } from '../../conversations/transcripts/transcripts.ts';
import { afterCommit } from '../../db/after-commit.ts';
import type { Db } from '../../db/tables.ts';
import { AppError } from '../../lib/errors.ts';
import type { TaskKind } from '../../work/tasks.ts';
import {
  type ChatTurn,
  ChatTurnEvent,
  ChatTurnResult,
  MAX_MESSAGES,
  MAX_REMEMBERED_BYTES,
  MAX_REPORTED_BYTES,
  MAX_REPORTS,
} from './schema.ts';
import { countMessages, insertEvents, insertToolCalls, listEvents, listToolCalls, setFailure } from './store.ts';
import { toolCallsOf } from './tool-calls.ts';

/** The kind of work that answers the last message of a chat, under the id of its session: one at a time. */
export const CHAT_TURN = 'chat_turn';
const LEASE_MS = 30_000;
const MAX_ATTEMPTS = 3;
const LIMITS = { reports: MAX_REPORTS, bytes: MAX_REPORTED_BYTES };

interface Deps {
  db: Db;
  agents: Agents;
  sessions: Sessions;
  transcripts: Transcripts;
  /** Called once a partial result or an answer is committed. */
  onChange: (chat_id: string) => void;
}

/** The task of a worker to answer the last message of a chat. */
export function createTurnTask({ db, agents, sessions, transcripts, onChange }: Deps) {
  /** Null once the chat has ended, its user is erased, or its agent is deleted, with which the chat ends. */
  async function describe(chat_id: string): Promise<ChatTurn | null> {
    try {
      const session = await sessions.get(chat_id, null, db);
      if (isFinal(session)) return null;
      const agent = await agents.ofSession(session);
      if (!agent) return await sessions.end(session, 'room_ended').then(() => null);
      const { variables, metadata } = await sessions.callData(chat_id);
      return {
        chat_id,
        user_id: session.user_id,
        agent_id: agent.id,
        agent_version: session.agent_version,
        agent_name: agent.name,
        config: withRules(agent.config, session.privacy),
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
    const said = await transcripts.listAll(chat_id, MAX_MESSAGES);
    const toolCalls = await listToolCalls(db, chat_id);
    return said.map(({ id, speaker, content }) => {
      const tool_calls = toolCalls.get(id);
      return { speaker, content, ...(tool_calls && { tool_calls }) };
    });
  }

  /** Stores partial results. Throws `turn_full`. */
  async function report(trx: Db, chat_id: string, lease_token: number, reported: ChatTurnEvent[]): Promise<void> {
    const events = await withoutSecrets(trx, chat_id, reported);
    if (!(await insertEvents(trx, { session_id: chat_id, lease_token, events }, LIMITS)))
      throw new AppError('turn_full');
    await addFailovers(trx, chat_id, events);
    afterCommit(trx, () => onChange(chat_id));
  }

  async function withoutSecrets(trx: Db, chat_id: string, events: ChatTurnEvent[]): Promise<ChatTurnEvent[]> {
    const { redactions } = sessions;
    const privacy = await redactions.privacyOf(trx, chat_id);
    if (privacy === null) return events;
    const redact = <T>(value: T): T => redactions.reported(privacy, value);
    return events.map((event) => {
      if (event.type === 'words') return { ...event, text: redact(event.text) };
      if (event.type === 'tool_call') return { ...event, arguments: redact(event.arguments) };
      return event.type === 'tool_result' ? { ...event, result: redact(event.result) } : event;
    });
  }

  async function addFailovers(trx: Db, chat_id: string, events: ChatTurnEvent[]): Promise<void> {
    const failovers = events.flatMap((event) => (event.type === 'failed_over' ? [event] : []));
    if (failovers.length === 0) return;
    const session = await sessions.lock(trx, chat_id);
    for (const { type: _, ...over } of failovers) await sessions.addFailover(trx, session, over);
  }

  /** A chat is locked before its task: by its next message, its end, and the erasure of its user, too. */
  async function lock(trx: Db, chat_id: string): Promise<void> {
    await sessions.lock(trx, chat_id);
  }

  /**
   * Adds the answer to the transcript, and remembers the calls of tools that the same worker has reported; also in a
   * chat that a budget has ended meanwhile: it is paid for. Throws `lease_lost` if the chat has ended otherwise.
   */
  async function complete(trx: Db, chat_id: string, { content }: ChatTurnResult, lease_token: number): Promise<void> {
    const session = await sessions.lock(trx, chat_id);
    const isOver = isFinal(session) && session.end_reason !== 'budget_exceeded';
    if (isOver || (await countMessages(trx, chat_id)) === undefined) throw new AppError('lease_lost');
    const message_id = await transcripts.addTo(trx, session, { speaker: 'AGENT', content });
    const reported = await listEvents(trx, chat_id, 0);
    const calls = toolCallsOf(reported.filter((one) => Number(one.lease_token) === Number(lease_token)));
    if (calls.length > 0) await insertToolCalls(trx, { session_id: chat_id, message_id, calls }, MAX_REMEMBERED_BYTES);
    afterCommit(trx, () => onChange(chat_id));
  }

  async function giveUp(
    trx: Db,
    chat_id: string,
    { detail = null }: { detail?: string | null | undefined },
  ): Promise<void> {
    await setFailure(trx, chat_id, detail);
    afterCommit(trx, () => onChange(chat_id));
  }

  return {
    result: ChatTurnResult,
    partial: {
      event: ChatTurnEvent,
      report: (trx, key, lease_token, events) => report(trx, key, lease_token, events as ChatTurnEvent[]),
    },
    leaseMs: LEASE_MS,
    maxAttempts: MAX_ATTEMPTS,
    describe,
    lock,
    complete: (trx, key, result, lease_token) => complete(trx, key, result as ChatTurnResult, lease_token),
    giveUp,
  } satisfies TaskKind;
}
