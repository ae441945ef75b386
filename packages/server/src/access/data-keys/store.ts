import { type Insertable, type Selectable, sql } from 'kysely';
import type { Db, Tables } from '../../db/tables.ts';

export type DataKeyRow = Selectable<Tables['data_keys']>;

/** Inserts a key; if another process was faster, its key stays. Returns the stored one. */
export function insertKey(db: Db, fresh: Insertable<Tables['data_keys']>): Promise<DataKeyRow> {
  return db
    .insertInto('data_keys')
    .values(fresh)
    .onConflict((conflict) =>
      // A no-op that returns the row.
      conflict.column('user_id').doUpdateSet((row) => ({ user_id: row.ref('excluded.user_id') })),
    )
    .returningAll()
    .executeTakeFirstOrThrow();
}

/**
 * The same if the session is still that of the key's user; otherwise undefined. Waits for an erasure that is about to
 * take it, and makes one that comes later wait, which then finds the key.
 */
export async function insertKeyOfSession(
  db: Db,
  session_id: string,
  { user_id, id, secret, created_at }: DataKeyRow,
): Promise<DataKeyRow | undefined> {
  const { rows } = await sql<DataKeyRow>`
    insert into data_keys (user_id, id, secret, created_at)
    select user_id, ${id}::uuid, ${secret}::text, ${created_at.toISOString()}::timestamptz from sessions
    where id = ${session_id}::uuid and user_id = ${user_id} for key share
    on conflict (user_id) do update set user_id = excluded.user_id
    returning *`.execute(db);
  return rows[0];
}

export function findKeyOf(db: Db, user_id: string): Promise<DataKeyRow | undefined> {
  return db.selectFrom('data_keys').selectAll().where('user_id', '=', user_id).executeTakeFirst();
}

export function findKey(db: Db, id: string): Promise<DataKeyRow | undefined> {
  return db.selectFrom('data_keys').selectAll().where('id', '=', id).executeTakeFirst();
}

/** The key of a user, which stays until the transaction ends. */
export function holdKeyOf(trx: Db, user_id: string): Promise<DataKeyRow | undefined> {
  return trx.selectFrom('data_keys').selectAll().where('user_id', '=', user_id).forKeyShare().executeTakeFirst();
}

/** Keeps a key until the transaction ends; false if it is deleted. */
export async function holdKey(trx: Db, id: string): Promise<boolean> {
  const found = await trx.selectFrom('data_keys').select('id').where('id', '=', id).forKeyShare().executeTakeFirst();
  return found !== undefined;
}

/** In the order of their ids, after the id `after`. */
export function listKeys(db: Db, after: string, limit: number): Promise<DataKeyRow[]> {
  const query = db.selectFrom('data_keys').selectAll().where('id', '>', after);
  return query.orderBy('id').limit(limit).execute();
}

/** Replaces the encrypted form `before` of a key. */
export async function replaceSecret(db: Db, id: string, before: string, secret: string): Promise<void> {
  await db.updateTable('data_keys').set({ secret }).where('id', '=', id).where('secret', '=', before).execute();
}

export async function deleteKeyOf(trx: Db, user_id: string): Promise<void> {
  await trx.deleteFrom('data_keys').where('user_id', '=', user_id).execute();
}
