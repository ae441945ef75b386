import type { Insertable, Selectable } from 'kysely';
import type { Db, Tables } from '../db/tables.ts';
import type { PageRequest } from '../lib/page.ts';

const COLUMNS = ['id', 'name', 'role', 'user_id', 'created_at', 'last_used_at', 'revoked_at'] as const;

export type ApiKey = Pick<Selectable<Tables['api_keys']>, (typeof COLUMNS)[number]>;

export function insertKey(db: Db, key: Insertable<Tables['api_keys']>): Promise<ApiKey> {
  return db.insertInto('api_keys').values(key).returning(COLUMNS).executeTakeFirstOrThrow();
}

/** Undefined when there is a key with this hash already, revoked or not. */
export function insertKeyOnce(db: Db, key: Insertable<Tables['api_keys']>): Promise<ApiKey | undefined> {
  return db
    .insertInto('api_keys')
    .values(key)
    .onConflict((conflict) => conflict.column('token_hash').doNothing())
    .returning(COLUMNS)
    .executeTakeFirst();
}

/** The key with this hash, unless it is revoked. */
export function findKeyByHash(db: Db, token_hash: string): Promise<ApiKey | undefined> {
  return db
    .selectFrom('api_keys')
    .select(COLUMNS)
    .where('token_hash', '=', token_hash)
    .where('revoked_at', 'is', null)
    .executeTakeFirst();
}

/** Newest first; one row more than `limit`, if there is one. */
export function listKeys(db: Db, page: PageRequest): Promise<ApiKey[]> {
  const query = db
    .selectFrom('api_keys')
    .select(COLUMNS)
    .orderBy('id', 'desc')
    .limit(page.limit + 1);
  return (page.after === null ? query : query.where('id', '<', page.after)).execute();
}

/** Undefined when there is no such key. A key that is revoked already keeps its date. */
export function revokeKey(db: Db, id: string, at: Date): Promise<ApiKey | undefined> {
  return db
    .updateTable('api_keys')
    .set((row) => ({ revoked_at: row.fn.coalesce('revoked_at', row.val(at)) }))
    .where('id', '=', id)
    .returning(COLUMNS)
    .executeTakeFirst();
}

export async function deleteKeysOf(db: Db, user_id: string): Promise<void> {
  await db.deleteFrom('api_keys').where('user_id', '=', user_id).execute();
}

export async function touchKey(db: Db, id: string, last_used_at: Date): Promise<void> {
  await db.updateTable('api_keys').set({ last_used_at }).where('id', '=', id).execute();
}
