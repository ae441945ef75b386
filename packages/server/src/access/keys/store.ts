import { type Insertable, type Selectable, sql } from 'kysely';
import type { Db, Tables } from '../../db/tables.ts';
import type { PageRequest } from '../../lib/page.ts';

const COLUMNS = [
  'id',
  'name',
  'role',
  'user_id',
  'scopes',
  'created_at',
  'expires_at',
  'last_used_at',
  'revoked_at',
  'made_in_open_mode',
] as const;

type Row = Selectable<Tables['api_keys']>;
export type ApiKey = Pick<Row, (typeof COLUMNS)[number]>;

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
  const { rows } = await sql<Pick<Row, 'id' | 'name' | 'token_hash' | 'role' | 'user_id' | 'scopes' | 'expires_at'>>`
    with used as (
      update api_keys set last_used_at = ${now.toISOString()}::timestamptz where id in (
        select id from api_keys where ${usable} and coalesce(last_used_at, '-infinity') < ${unused_since.toISOString()}::timestamptz
        order by id for update skip locked
      )
    )
    select id, name, token_hash, role, user_id, scopes, expires_at from api_keys where ${usable}`.execute(db);
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

/** Locks a key, so that it is not revoked until the transaction ends. */
export function lockKey(trx: Db, id: string): Promise<ApiKey | undefined> {
  return trx.selectFrom('api_keys').select(COLUMNS).where('id', '=', id).forUpdate().executeTakeFirst();
}

/** A key that was revoked before keeps its date. The caller has locked the key. */
export function revokeKey(trx: Db, id: string, at: Date): Promise<ApiKey> {
  return trx
    .updateTable('api_keys')
    .set((row) => ({ revoked_at: row.fn.coalesce('revoked_at', row.val(at)) }))
    .where('id', '=', id)
    .returning(COLUMNS)
    .executeTakeFirstOrThrow();
}

export type KeyInForce = Pick<Row, 'id' | 'name' | 'scopes'>;

/** Those of the keys that are neither revoked nor expired. */
export function findKeysInForce(db: Db, ids: string[], now: Date): Promise<KeyInForce[]> {
  return db
    .selectFrom('api_keys')
    .select(['id', 'name', 'scopes'])
    .where('id', '=', sql<string>`any(${ids}::uuid[])`)
    .where('revoked_at', 'is', null)
    .where((row) => row.or([row('expires_at', 'is', null), row('expires_at', '>', now)]))
    .execute();
}

/** How many keys that an earlier release created in open mode are still accepted. */
export async function countOpenModeKeys(db: Db, now: Date): Promise<number> {
  const found = await db
    .selectFrom('api_keys')
    .select('id')
    .where('made_in_open_mode', '=', true)
    .where('revoked_at', 'is', null)
    .where((row) => row.or([row('expires_at', 'is', null), row('expires_at', '>', now)]))
    .execute();
  return found.length;
}

export async function deleteKeysOf(db: Db, user_id: string): Promise<void> {
  await db.deleteFrom('api_keys').where('user_id', '=', user_id).execute();
}
