import { sql } from 'kysely';
import type { Db } from '../../db/tables.ts';
import type { ChatTurnEvent } from './schema.ts';

export async function insertChat(trx: Db, session_id: string): Promise<void> {
  await trx.insertInto('chats').values({ session_id }).execute();
}

export async function isChat(db: Db, session_id: string): Promise<boolean> {
  return (
    (await db.selectFrom('chats').select('session_id').where('session_id', '=', session_id).executeTakeFirst()) !==
    undefined
  );
}

/** Counts messages of a chat; returns how many there are now, or undefined if it is none. */
export async function countMessages(trx: Db, session_id: string): Promise<number | undefined> {
  const counted = trx
    .updateTable('chats')
    .set({ messages: sql<number>`messages + 1` })
    .where('session_id', '=', session_id);
  return (await counted.returning('messages').executeTakeFirst())?.messages;
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

/** Deletes the partial results of attempts that have failed. */
export async function deleteFailedEvents(trx: Db, session_id: string, lease_token: number): Promise<void> {
  const failed = trx.deleteFrom('chat_events').where('session_id', '=', session_id);
  await failed.where('lease_token', '<>', lease_token).execute();
}

export async function deleteEvents(trx: Db, session_ids: string[]): Promise<void> {
  if (session_ids.length > 0) await trx.deleteFrom('chat_events').where('session_id', 'in', session_ids).execute();
}

/** Deletes up to `limit` partial results of sessions that began before the id `before`; returns their number. */
export async function deleteOldEvents(db: Db, before: string, limit: number): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from chat_events where ctid = any (array(
      select ctid from chat_events where session_id < ${before}::uuid limit ${limit}::integer
    ))`.execute(db);
  return Number(numAffectedRows ?? 0);
}

export async function deleteChats(trx: Db, session_ids: string[]): Promise<void> {
  await deleteEvents(trx, session_ids);
  if (session_ids.length > 0) await trx.deleteFrom('chats').where('session_id', 'in', session_ids).execute();
}
