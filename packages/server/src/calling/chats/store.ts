import { sql } from 'kysely';
import type { Db } from '../../db/tables.ts';

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

export async function deleteChats(trx: Db, session_ids: string[]): Promise<void> {
  if (session_ids.length > 0) await trx.deleteFrom('chats').where('session_id', 'in', session_ids).execute();
}
