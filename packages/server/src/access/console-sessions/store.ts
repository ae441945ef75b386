import { type Insertable, type Selectable, sql } from 'kysely';
import type { Db, Tables } from '../../db/tables.ts';

export type ConsoleSession = Selectable<Tables['console_sessions']>;

export async function insertConsoleSession(db: Db, session: Insertable<Tables['console_sessions']>): Promise<void> {
  await db.insertInto('console_sessions').values(session).execute();
}

export function findConsoleSessions(db: Db, hashes: string[]): Promise<ConsoleSession[]> {
  const isOne = sql<string>`any(${hashes}::text[])`;
  return db.selectFrom('console_sessions').selectAll().where('token_hash', '=', isOne).execute();
}

/** Whether there was one. */
export async function deleteConsoleSession(db: Db, token_hash: string): Promise<boolean> {
  const query = db.deleteFrom('console_sessions').where('token_hash', '=', token_hash);
  return (await query.executeTakeFirst()).numDeletedRows > 0n;
}

/** Returns the hashes of the deleted sessions. */
export function deleteSessionsByKey(db: Db, key_id: string): Promise<string[]> {
  return hashesOf(db.deleteFrom('console_sessions').where('key_id', '=', key_id).returning('token_hash').execute());
}

/** The same for a person who signed in at the OpenID provider. */
export function deleteSessionsBySubject(db: Db, subject: string): Promise<string[]> {
  return hashesOf(db.deleteFrom('console_sessions').where('subject', '=', subject).returning('token_hash').execute());
}

async function hashesOf(deleted: Promise<{ token_hash: string }[]>): Promise<string[]> {
  return (await deleted).map(({ token_hash }) => token_hash);
}

export async function deleteExpiredConsoleSessions(db: Db, now: Date): Promise<void> {
  await db.deleteFrom('console_sessions').where('expires_at', '<', now).execute();
}

export async function deleteConsoleSessionsOf(db: Db, user_id: string): Promise<void> {
  const isOf = sql<boolean>`user_id = ${user_id} or subject = ${user_id}`;
  await db.deleteFrom('console_sessions').where(isOf).execute();
}
