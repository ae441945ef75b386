import type { Insertable, Selectable } from 'kysely';
import type { Db, Tables } from '../../db/tables.ts';

export type ConsoleSession = Selectable<Tables['console_sessions']>;

export async function insertConsoleSession(db: Db, session: Insertable<Tables['console_sessions']>): Promise<void> {
  await db.insertInto('console_sessions').values(session).execute();
}

export function findConsoleSession(db: Db, token_hash: string): Promise<ConsoleSession | undefined> {
  return db.selectFrom('console_sessions').selectAll().where('token_hash', '=', token_hash).executeTakeFirst();
}

export async function deleteConsoleSession(db: Db, token_hash: string): Promise<void> {
  await db.deleteFrom('console_sessions').where('token_hash', '=', token_hash).execute();
}

export async function deleteExpiredConsoleSessions(db: Db, now: Date): Promise<void> {
  await db.deleteFrom('console_sessions').where('expires_at', '<', now).execute();
}

export async function deleteConsoleSessionsOf(db: Db, user_id: string): Promise<void> {
  await db.deleteFrom('console_sessions').where('user_id', '=', user_id).execute();
}
