import type { Static } from 'typebox';
import type { Content } from '../../access/data-keys/content.ts';
import type { Batch } from '../../db/retention-batches.ts';
import { AppError } from '../../lib/errors.ts';
import { newId } from '../../lib/ids.ts';
import { InvalidFields } from '../../lib/invalid.ts';
import type { JsonObject } from '../../lib/json.ts';
import type { Platform } from '../../platform.ts';
import type { Session, Sessions } from '../sessions/sessions.ts';
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
  sessions: Sessions;
  content: Content;
}

/** The calls of tools in a conversation, with what they answered. */
export function createToolCalls({ db, sessions, content }: Deps) {
  /**
   * Records calls, without their secrets; known ones stay as they are, and those beyond the limit of a session are left
   * out. Throws `not_found` for a session that was erased meanwhile, and `InvalidFields` for arguments that are too
   * long.
   */
  async function record(session: Session, calls: Reported[]): Promise<void> {
    for (const [index, { arguments: args }] of calls.entries())
      if (JSON.stringify(args).length > MAX_ARGUMENTS) throw tooLong(index);
    await db.transaction().execute(async (trx) => {
      // The session before the key, like everybody who writes what was said.
      if (!(await holdSession(trx, session.id))) throw new AppError('not_found');
      const rows: Omit<ToolCallRow, 'session_id'>[] = [];
      for (const { call_id, name, is_error = false, called_at, ...told } of calls) {
        const { text } = await content.close(session, JSON.stringify(withoutSecrets(session, told)), trx);
        rows.push({ id: newId(), call_id, name, content: text, is_error, called_at: new Date(called_at) });
      }
      await insertToolCalls(trx, session.id, rows, MAX_TOOL_BYTES);
    });
  }

  function withoutSecrets({ privacy }: Session, { arguments: args, result }: Pick<Reported, 'arguments' | 'result'>) {
    return sessions.redactions.reported(privacy, { arguments: args, result });
  }

  /** The calls of tools of a session, in the order in which they were made. */
  async function list(session_id: string): Promise<ToolCall[]> {
    const rows = await listToolCalls(db, session_id);
    return rows.map(({ name, is_error, called_at, content: told }) => ({
      ...(JSON.parse(told) as Pick<ToolCall, 'arguments' | 'result'>),
      name,
      is_error,
      called_at,
    }));
  }

  return {
    record,
    list,
    erase: deleteToolCallsOf,
    deleteOlder: (batch: Batch) => deleteOldToolCalls(db, batch),
  };
}

function tooLong(index: number): InvalidFields {
  const msg = `Input should have at most ${MAX_ARGUMENTS} characters as JSON`;
  return new InvalidFields({ field: ['tool_calls', index, 'arguments'], msg, type: 'too_long' });
}
