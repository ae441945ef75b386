import type { Insertable, Selectable } from 'kysely';
import type { Db, Tables } from '../db/tables.ts';

export type UsageEvent = Selectable<Tables['usage_events']>;

/** Puts the pseudonym in the place of the user in up to `limit` events; tells in how many. The figures stay as they are. */
export async function pseudonymiseEvents(db: Db, user_id: string, pseudonym: string, limit: number): Promise<number> {
  const some = db.selectFrom('usage_events').select('id').where('user_id', '=', user_id).limit(limit);
  const result = await db
    .updateTable('usage_events')
    .set({ user_id: pseudonym })
    .where('id', 'in', some)
    .executeTakeFirst();
  return Number(result.numUpdatedRows);
}

export function insertUsageEvent(db: Db, event: Insertable<Tables['usage_events']>): Promise<UsageEvent> {
  return db.insertInto('usage_events').values(event).returningAll().executeTakeFirstOrThrow();
}
