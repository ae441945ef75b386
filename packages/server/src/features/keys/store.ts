import { type Insertable, type Selectable, sql } from 'kysely';
import type { Db, Tables } from '../../db/tables.ts';
import type { PageRequest } from '../../lib/page.ts';

const COLUMNS = ['id', 'name', 'role', 'user_id', 'created_at', 'expires_at', 'last_used_at', 'revoked_at'] as const;

export type ApiKey = Pick<Selectable<Tables['api_keys']>, (typeof COLUMNS)[number]>;

export function insertKey(db: Db, key: Insertable<Tables['api_keys']>): Promise<ApiKey> {
  return db.insertInto('api_keys').values(key).returning(COLUMNS).executeTakeFirstOrThrow();
}

/** Undefined if a key with this hash exists, revoked or not. */
export function insertKeyOnce(db: Db, key: Insertable<Tables['api_keys']>): Promise<ApiKey | undefined> {
  return db
    .insertInto('api_keys')
    .values(key)
    .onConflict((conflict) => conflict.column('token_hash').doNothing())
    .returning(COLUMNS)
    .executeTakeFirst();
}

/**
 * Valid keys by their hashes. Records the use of keys last used before `unused_since`, skipping rows that another
 * transaction has locked.
 */
export async function findKeysByHash(db: Db, hashes: string[], now: Date, unused_since: Date) {
  const usable = sql`token_hash = any(${hashes}::text[]) and revoked_at is null
    and (expires_at is null or expires_at > ${now.toISOString()}::timestamptz)`;
  const { rows } = await sql<
    Pick<Selectable<Tables['api_keys']>, 'id' | 'token_hash' | 'role' | 'user_id' | 'expires_at'>
  >`
    with used as (
      update api_keys set last_used_at = ${now.toISOString()}::timestamptz where id in (
        select id from api_keys where ${usable} and coalesce(last_used_at, '-infinity') < ${unused_since.toISOString()}::timestamptz
        order by id for update skip locked
      )
    )
    select id, token_hash, role, user_id, expires_at from api_keys where ${usable}`.execute(db);
  return rows;
}

/** Newest first; up to `limit` plus one. */
export function listKeys(db: Db, page: PageRequest): Promise<ApiKey[]> {
  const query = db
    .selectFrom('api_keys')
    .select(COLUMNS)
    .orderBy('id', 'desc')
    .limit(page.limit + 1);
  return (page.after === null ? query : query.where('id', '<', page.after)).execute();
}

/** Undefined if there is no such key. A key that was revoked before keeps its date. */
export function revokeKey(db: Db, id: string, at: Date): Promise<ApiKey | undefined> {
  return db
    .updateTable('api_keys')
    .set((row) => ({ revoked_at: row.fn.coalesce('revoked_at', row.val(at)) }))
    .where('id', '=', id)
    .returning(COLUMNS)
    .executeTakeFirst();
}

/** Whether there is a key with this id that is neither revoked nor expired. */
export async function isKeyInForce(db: Db, id: string, now: Date): Promise<boolean> {
  const found = await db
    .selectFrom('api_keys')
    .select('id')
    .where('id', '=', id)
    .where('revoked_at', 'is', null)
    .where((row) => row.or([row('expires_at', 'is', null), row('expires_at', '>', now)]))
    .executeTakeFirst();
  return found !== undefined;
}

export async function deleteKeysOf(db: Db, user_id: string): Promise<void> {
  await db.deleteFrom('api_keys').where('user_id', '=', user_id).execute();
}
