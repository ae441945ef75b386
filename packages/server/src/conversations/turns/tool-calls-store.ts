import { type Selectable, sql } from 'kysely';
import { type Batch, type Deleted, deleteOld } from '../../db/retention-batches.ts';
import type { Db, Tables } from '../../db/tables.ts';

export type ToolCallRow = Selectable<Tables['tool_calls']>;

/** Bytes that a row takes besides its content. */
const ROW = 100;

/**
 * Keeps a session that was not erased from an erasure, and from others that record its calls of tools, until the
 * transaction ends; false if there is none.
 */
export async function holdSession(trx: Db, session_id: string): Promise<boolean> {
  const { rows } = await sql`
    select from sessions where id = ${session_id}::uuid and erased_at is null for no key update`.execute(trx);
  return rows.length > 0;
}

/**
 * Adds calls of tools to a session, the first ones as long as it has at most `limit` bytes of them. Known ones stay.
 * Locks their keys in order. Returns the `call_id` of those that were added.
 */
export async function insertToolCalls(
  trx: Db,
  session_id: string,
  calls: Omit<ToolCallRow, 'session_id'>[],
  limit: number,
): Promise<Set<string>> {
  const column = (name: 'id' | 'call_id' | 'name' | 'content' | 'is_error') => calls.map((one) => one[name]);
  const { rows } = await sql<{ call_id: string }>`
    -- prepared: insert_tool_calls
    insert into tool_calls (id, session_id, call_id, name, content, is_error, called_at)
    select id, ${session_id}::uuid, call_id, name, content, is_error, called_at from (
      select *, sum(${ROW} + octet_length(content)) over (order by place) as bytes from unnest(
        ${column('id')}::uuid[], ${column('call_id')}::text[], ${column('name')}::text[], ${column('content')}::text[],
        ${column('is_error')}::boolean[], ${calls.map(({ called_at }) => called_at.toISOString())}::timestamptz(3)[]
      ) with ordinality as call (id, call_id, name, content, is_error, called_at, place)
      where not exists (
        select from tool_calls as known where known.session_id = ${session_id}::uuid and known.call_id = call.call_id
      )
    ) as reported
    where bytes <= ${limit}::integer - (
      select coalesce(sum(${ROW} + octet_length(content)), 0) from tool_calls where session_id = ${session_id}::uuid
    )
    order by call_id on conflict (session_id, call_id) do nothing
    returning call_id`.execute(trx);
  return new Set(rows.map(({ call_id }) => call_id));
}

/** The calls of tools of a session, in the order in which they were made; only of tools with these names if given. */
export function listToolCalls(db: Db, session_id: string, like?: string[]): Promise<ToolCallRow[]> {
  const all = db.selectFrom('tool_calls').selectAll().where('session_id', '=', session_id);
  const query = like ? all.where(sql<boolean>`name like any(${like}::text[])`) : all;
  return query.orderBy('called_at').orderBy('id').execute();
}

/** Deletes a batch of them, but none under a legal hold. */
export function deleteOldToolCalls(db: Db, batch: Batch): Promise<Deleted> {
  return deleteOld(db, { table: 'tool_calls', id: 'id', of: { session: 'session_id' } }, batch);
}

export async function deleteToolCallsOf(db: Db, session_ids: string[]): Promise<void> {
  if (session_ids.length > 0) await db.deleteFrom('tool_calls').where('session_id', 'in', session_ids).execute();
}
