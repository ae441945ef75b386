import { sql } from 'kysely';
import { type Batch, deleteOld } from '../../db/retention-batches.ts';
import type { Db } from '../../db/tables.ts';
import type { ChatToolCall, ChatTurnEvent } from './schema.ts';

/** Days for which partial answers and calls of tools are kept: chats are over a day after they began. */
export const TURN_DAYS = 2;

export async function insertChat(trx: Db, session_id: string): Promise<void> {
  await trx.insertInto('chats').values({ session_id }).execute();
}

export async function isChat(db: Db, session_id: string): Promise<boolean> {
  return (
    (await db.selectFrom('chats').select('session_id').where('session_id', '=', session_id).executeTakeFirst()) !==
    undefined
  );
}

/** Those of these sessions that are chats. */
export async function chatsAmong(db: Db, session_ids: string[]): Promise<Set<string>> {
  const query = db.selectFrom('chats').select('session_id').where('session_id', 'in', session_ids);
  return new Set((await query.execute()).map(({ session_id }) => session_id));
}

/** Counts messages of a chat; returns how many there are now, or undefined if it is none. */
export async function countMessages(trx: Db, session_id: string): Promise<number | undefined> {
  const counted = trx
    .updateTable('chats')
    .set({ messages: sql<number>`messages + 1` })
    .where('session_id', '=', session_id);
  return (await counted.returning('messages').executeTakeFirst())?.messages;
}

/** Sets why the last message has got no answer; null for none, or an unknown reason. */
export async function setFailure(trx: Db, session_id: string, failure: string | null): Promise<void> {
  await trx.updateTable('chats').set({ failure }).where('session_id', '=', session_id).execute();
}

export async function findFailure(db: Db, session_id: string): Promise<string | null> {
  const chat = db.selectFrom('chats').select('failure').where('session_id', '=', session_id);
  return (await chat.executeTakeFirst())?.failure ?? null;
}

/** Sets how many messages a chat has. */
export async function setMessages(trx: Db, session_id: string, messages: number): Promise<void> {
  await trx.updateTable('chats').set({ messages }).where('session_id', '=', session_id).execute();
}

/** Partial results as they were reported in one request. */
export interface Reported {
  seq: number;
  lease_token: number;
  events: ChatTurnEvent[];
}

/** Adds partial results; false if the turn would have more than `limits`. The caller holds the task. */
export async function insertEvents(
  trx: Db,
  { session_id, lease_token, events }: { session_id: string; lease_token: number; events: ChatTurnEvent[] },
  limits: { reports: number; bytes: number },
): Promise<boolean> {
  const { rows } = await sql`
    with before as (
      select count(*) as reports, coalesce(max(seq), 0) as seq, coalesce(sum(octet_length(events::text)), 0) as bytes
      from chat_events where session_id = ${session_id}::uuid
    )
    insert into chat_events (session_id, seq, lease_token, events)
    select ${session_id}::uuid, seq + 1, ${lease_token}::bigint, ${JSON.stringify(events)}::jsonb from before
    where reports < ${limits.reports}::integer
      and bytes + octet_length(${JSON.stringify(events)}::jsonb::text) <= ${limits.bytes}::integer
    returning seq`.execute(trx);
  return rows.length > 0;
}

/** Partial results after `seq`, in order. */
export async function listEvents(db: Db, session_id: string, seq: number): Promise<Reported[]> {
  const query = db
    .selectFrom('chat_events')
    .select(['seq', 'lease_token', 'events'])
    .where('session_id', '=', session_id)
    .where('seq', '>', seq)
    .orderBy('seq');
  return (await query.execute()) as unknown as Reported[];
}

export async function deleteEvents(trx: Db, session_ids: string[]): Promise<void> {
  if (session_ids.length > 0) await trx.deleteFrom('chat_events').where('session_id', 'in', session_ids).execute();
}

/** Adds the calls of tools of an answer. Earlier ones are forgotten, from the oldest on, beyond `limit` bytes. */
export async function insertToolCalls(
  trx: Db,
  { session_id, message_id, calls }: { session_id: string; message_id: string; calls: ChatToolCall[] },
  limit: number,
): Promise<void> {
  await sql`
    delete from chat_tool_calls where session_id = ${session_id}::uuid and message_id in (
      select message_id from (
        select message_id, sum(octet_length(calls::text)) over (order by message_id desc) as bytes
        from chat_tool_calls where session_id = ${session_id}::uuid
      ) as newest where bytes > ${limit}::integer
    )`.execute(trx);
  await trx
    .insertInto('chat_tool_calls')
    .values({ session_id, message_id, calls: JSON.stringify(calls) })
    .execute();
}

/** The calls of tools of a chat, by the answers that they were made for. */
export async function listToolCalls(db: Db, session_id: string): Promise<Map<string, ChatToolCall[]>> {
  const query = db.selectFrom('chat_tool_calls').select(['message_id', 'calls']).where('session_id', '=', session_id);
  const rows = (await query.execute()) as unknown as { message_id: string; calls: ChatToolCall[] }[];
  return new Map(rows.map(({ message_id, calls }) => [message_id, calls]));
}

/**
 * Gives messages of one chat, which are copies of those of another, the calls of tools of these, as `copy` makes them.
 */
export async function copyToolCalls(
  trx: Db,
  [from, to]: [from: string, to: string],
  copies: { of: string; id: string }[],
  copy: (call: ChatToolCall) => ChatToolCall,
): Promise<void> {
  const known = await listToolCalls(trx, from);
  const rows = copies.flatMap(({ of, id: message_id }) => {
    const calls = known.get(of)?.map(copy);
    return calls ? [{ session_id: to, message_id, calls: JSON.stringify(calls) }] : [];
  });
  if (rows.length > 0) await trx.insertInto('chat_tool_calls').values(rows).execute();
}

/** Deletes the calls of tools of these messages. */
export async function deleteToolCalls(trx: Db, session_id: string, message_ids: string[]): Promise<void> {
  const ofChat = trx.deleteFrom('chat_tool_calls').where('session_id', '=', session_id);
  if (message_ids.length > 0) await ofChat.where('message_id', 'in', message_ids).execute();
}

/** Deletes a batch of the partial results of old sessions. */
export const deleteOldEvents = (db: Db, batch: Batch) =>
  deleteOld(db, { table: 'chat_events', id: 'session_id' }, batch);

/** The same for calls of tools. */
export const deleteOldToolCalls = (db: Db, batch: Batch) =>
  deleteOld(db, { table: 'chat_tool_calls', id: 'session_id' }, batch);

/** Deletes the partial results and the calls of tools of these sessions. */
export async function deleteTurnsOf(trx: Db, session_ids: string[]): Promise<void> {
  if (session_ids.length === 0) return;
  await deleteEvents(trx, session_ids);
  await trx.deleteFrom('chat_tool_calls').where('session_id', 'in', session_ids).execute();
}

export async function deleteChats(trx: Db, session_ids: string[]): Promise<void> {
  if (session_ids.length === 0) return;
  await deleteTurnsOf(trx, session_ids);
  await trx.deleteFrom('chats').where('session_id', 'in', session_ids).execute();
}
