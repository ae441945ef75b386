import type { Insertable, Selectable } from 'kysely';
import type { Db, Tables } from '../../db/tables.ts';

export async function insertStreamToken(db: Db, token: Insertable<Tables['stream_tokens']>): Promise<void> {
  await db.insertInto('stream_tokens').values(token).execute();
}

export function findStreamToken(db: Db, token_hash: string): Promise<Selectable<Tables['stream_tokens']> | undefined> {
  return db.selectFrom('stream_tokens').selectAll().where('token_hash', '=', token_hash).executeTakeFirst();
}

export async function deleteExpiredStreamTokens(db: Db, now: Date): Promise<void> {
  await db.deleteFrom('stream_tokens').where('expires_at', '<', now).execute();
}

export async function deleteStreamTokensOf(db: Db, user_id: string): Promise<void> {
  await db.deleteFrom('stream_tokens').where('user_id', '=', user_id).execute();
}
