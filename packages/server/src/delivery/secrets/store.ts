import type { Insertable, Selectable, Updateable } from 'kysely';
import type { Db, Tables } from '../../db/tables.ts';

export type SecretRow = Selectable<Tables['callback_secrets']>;

/**
 * Inserts secrets, sorted by user; if another request was faster, its secret stays. Returns the stored ones, locked
 * until the transaction ends.
 */
export async function insertSecrets(db: Db, fresh: Insertable<Tables['callback_secrets']>[]): Promise<SecretRow[]> {
  if (fresh.length === 0) return [];
  return db
    .insertInto('callback_secrets')
    .values(fresh)
    .onConflict((conflict) =>
      // A no-op that returns the row.
      conflict.column('user_id').doUpdateSet((row) => ({ user_id: row.ref('excluded.user_id') })),
    )
    .returningAll()
    .execute();
}

/** The secrets of those users who have one. */
export async function findSecrets(db: Db, user_ids: string[]): Promise<SecretRow[]> {
  if (user_ids.length === 0) return [];
  return db.selectFrom('callback_secrets').selectAll().where('user_id', 'in', user_ids).execute();
}

/** Locked until the transaction ends; undefined if the user has none. */
export function lockSecret(trx: Db, user_id: string): Promise<SecretRow | undefined> {
  return trx.selectFrom('callback_secrets').selectAll().where('user_id', '=', user_id).forUpdate().executeTakeFirst();
}

export function updateSecret(
  db: Db,
  user_id: string,
  change: Updateable<Tables['callback_secrets']>,
): Promise<SecretRow> {
  return db
    .updateTable('callback_secrets')
    .set(change)
    .where('user_id', '=', user_id)
    .returningAll()
    .executeTakeFirstOrThrow();
}

/** In the order of their users, after the user `after`. */
export function listSecrets(db: Db, after: string, limit: number): Promise<SecretRow[]> {
  return db
    .selectFrom('callback_secrets')
    .selectAll()
    .where('user_id', '>', after)
    .orderBy('user_id')
    .limit(limit)
    .execute();
}

export async function deleteSecret(db: Db, user_id: string): Promise<void> {
  await db.deleteFrom('callback_secrets').where('user_id', '=', user_id).execute();
}

/** An earlier secret, encrypted, and its expiry. */
interface EarlierSecret {
  secret: string;
  expires_at: Date;
}

/** Earlier secrets that still sign, newest first. */
export function overlapping(row: SecretRow, now: Date): EarlierSecret[] {
  const { previous_secret, previous_expires_at, earlier_secrets } = row;
  const earlier = earlier_secrets.map(({ secret, expires_at }) => ({ secret, expires_at: new Date(expires_at) }));
  const previous =
    previous_secret && previous_expires_at ? [{ secret: previous_secret, expires_at: previous_expires_at }] : [];
  return [...previous, ...earlier].filter(({ expires_at }) => expires_at > now);
}

/** The columns that store these secrets. The newest one has its own. */
export function toColumns([newest, ...earlier]: EarlierSecret[]) {
  return {
    previous_secret: newest?.secret ?? null,
    previous_expires_at: newest?.expires_at ?? null,
    earlier_secrets: JSON.stringify(earlier),
  };
}
