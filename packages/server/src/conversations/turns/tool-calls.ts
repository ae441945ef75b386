import type { Static } from 'typebox';
import type { Content } from '../../access/data-keys/content.ts';
import { isReadable } from '../../db/opening.ts';
import type { Batch } from '../../db/retention-batches.ts';
import type { Db } from '../../db/tables.ts';
import { AppError } from '../../lib/errors.ts';
import { newId } from '../../lib/ids.ts';
import { InvalidFields } from '../../lib/invalid.ts';
import type { JsonObject } from '../../lib/json.ts';
import type { Platform } from '../../platform.ts';
import type { Agents } from '../agents/agents.ts';
import type { Session, Sessions } from '../sessions/sessions.ts';
import { keysIn, mayHaveKeys, type Pressed, pressedIn, type TimelineKeys, TOOLS_OF_KEYS } from './digits.ts';
import { MAX_ARGUMENTS, MAX_TOOL_BYTES, type NewToolCall } from './schema.ts';
import {
  deleteOldToolCalls,
  deleteToolCallsOf,
  holdSession,
  insertToolCalls,
  listToolCalls,
  type ToolCallRow,
} from './tool-calls-store.ts';

/** A call of a tool as it was made, and its result as text; null if it never came. */
export interface ToolCall extends Pick<ToolCallRow, 'name' | 'is_error' | 'called_at'> {
  arguments: JsonObject;
  result: string | null;
}

type Reported = Static<typeof NewToolCall>;

interface Deps extends Pick<Platform, 'db'> {
  agents: Agents;
  sessions: Sessions;
  content: Content;
  /** Reports keys that somebody has pressed, in the transaction that records them. */
  callbacks: { enqueueDigits: (trx: Db, session: Session, pressed: Pressed) => Promise<void> };
}

/** The calls of tools in a conversation, with what they answered. */
export function createToolCalls({ db, agents, sessions, content, callbacks }: Deps) {
  /**
   * Records calls, without their secrets; known ones stay as they are, and those beyond the limit of a session are left
   * out. Throws `not_found` for a session that was erased meanwhile, and `InvalidFields` for arguments that are too
   * long.
   */
  async function record(session: Session, calls: Reported[]): Promise<void> {
    for (const [index, { arguments: args }] of calls.entries())
      if (JSON.stringify(args).length > MAX_ARGUMENTS) throw tooLong(index);
    const config = await configFor(session, calls);
    await db.transaction().execute(async (trx) => {
      // The session before the key, like everybody who writes what was said.
      if (!(await holdSession(trx, session.id))) throw new AppError('not_found');
      const clean = calls.map((call) => withoutSecrets(session, call));
      const rows: Omit<ToolCallRow, 'session_id'>[] = [];
      for (const { arguments: args, result, ...row } of clean) {
        const { text } = await content.close(session, JSON.stringify({ arguments: args, result }), trx);
        rows.push({ ...row, id: newId(), content: text });
      }
      const added = await insertToolCalls(trx, session.id, rows, MAX_TOOL_BYTES);
      // A request may repeat a call: it is told of once.
      const fresh = clean.filter(({ call_id }) => added.delete(call_id));
      if (config) await enqueuePressed(trx, session, fresh, config);
    });
  }

  async function enqueuePressed(trx: Db, session: Session, calls: ToolCall[], config: JsonObject): Promise<void> {
    for (const call of calls) {
      const pressed = pressedIn(session, call, config);
      if (pressed) await callbacks.enqueueDigits(trx, session, pressed);
    }
  }

  /** The configuration of the agent, if a tool that takes keys may have been called in a call; otherwise undefined. */
  async function configFor(session: Session, calls: Reported[]): Promise<JsonObject | undefined> {
    const isAny = calls.some(({ is_error = false, ...one }) => mayHaveKeys({ ...one, is_error }));
    return isAny && session.call_status !== null ? (await agents.ofSession(session))?.config : undefined;
  }

  function withoutSecrets({ privacy }: Session, { is_error = false, called_at, ...call }: Reported) {
    const { arguments: args, result } = call;
    const clean = sessions.redactions.reported(privacy, { arguments: args, result });
    return { ...call, ...clean, is_error, called_at: new Date(called_at) };
  }

  /** The calls of tools of a session, in the order in which they were made; only of tools with these names if given. */
  async function list(session_id: string, like?: string[]): Promise<ToolCall[]> {
    return (await listToolCalls(db, session_id, like)).map(shown);
  }

  /**
   * The keys that were pressed in a call, without sensitive ones. None once its agent is deleted, nor while its content
   * cannot be decrypted: the call is shown without them.
   */
  async function keysOf(session: Session): Promise<TimelineKeys[]> {
    const rows = await listToolCalls(db, session.id, TOOLS_OF_KEYS);
    const calls = rows.filter((row) => isReadable(row, 'content')).map(shown);
    const agent = calls.length > 0 ? await agents.ofSession(session) : undefined;
    return agent ? calls.flatMap((call) => keysIn(session, call, agent.config) ?? []) : [];
  }

  return {
    record,
    list,
    keysOf,
    erase: deleteToolCallsOf,
    deleteOlder: (batch: Batch) => deleteOldToolCalls(db, batch),
  };
}

function shown({ name, is_error, called_at, content }: ToolCallRow): ToolCall {
  return { ...(JSON.parse(content) as Pick<ToolCall, 'arguments' | 'result'>), name, is_error, called_at };
}

function tooLong(index: number): InvalidFields {
  const msg = `Input should have at most ${MAX_ARGUMENTS} characters as JSON`;
  return new InvalidFields({ field: ['tool_calls', index, 'arguments'], msg, type: 'too_long' });
}
