import type { Insertable, Selectable } from 'kysely';
import type { Db, Tables } from '../../db/tables.ts';
import type { PageRequest } from '../../lib/page.ts';

export type AuditEntry = Selectable<Tables['audit_log']>;

export async function insertEntry(db: Db, entry: Insertable<Tables['audit_log']>): Promise<void> {
  await db.insertInto('audit_log').values(entry).execute();
}

/** Newest first; up to `limit` plus one. */
export function listEntries(db: Db, page: PageRequest): Promise<AuditEntry[]> {
  const query = db
    .selectFrom('audit_log')
    .selectAll()
    .orderBy('id', 'desc')
    .limit(page.limit + 1);
  return (page.after === null ? query : query.where('id', '<', page.after)).execute();
}

/** Replaces a user with the pseudonym, and deletes the user's addresses. */
export async function pseudonymizeEntries(db: Db, user_id: string, pseudonym: string): Promise<void> {
  await db.updateTable('audit_log').set({ user_id: pseudonym, ip: null }).where('user_id', '=', user_id).execute();
}
