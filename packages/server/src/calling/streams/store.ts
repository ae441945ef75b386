import { type Insertable, type Selectable, sql } from 'kysely';
import type { Db, Tables } from '../../db/tables.ts';

/** False if the sign-in that asks for the token has just ended. */
export async function insertStreamToken(db: Db, token: Insertable<Tables['stream_tokens']>): Promise<boolean> {
  try {
    await db.insertInto('stream_tokens').values(token).execute();
    return true;
  } catch (error) {
    if ((error as { code?: string }).code === FOREIGN_KEY_VIOLATION) return false;
    throw error;
  }
}

const FOREIGN_KEY_VIOLATION = '23503';

export type StreamToken = Selectable<Tables['stream_tokens']>;

export function findStreamTokens(db: Db, hashes: string[]): Promise<StreamToken[]> {
  const isOne = sql<string>`any(${hashes}::text[])`;
  return db.selectFrom('stream_tokens').selectAll().where('token_hash', '=', isOne).execute();
}

export async function deleteExpiredStreamTokens(db: Db, now: Date): Promise<void> {
  await db.deleteFrom('stream_tokens').where('expires_at', '<', now).execute();
}

export async function deleteStreamTokensOf(db: Db, user_id: string): Promise<void> {
  await db.deleteFrom('stream_tokens').where('user_id', '=', user_id).execute();
}
