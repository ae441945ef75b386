import type { Insertable, Selectable } from 'kysely';
import type { Db, Tables } from '../db/tables.ts';

export type UsageEvent = Selectable<Tables['usage_events']>;

export function insertUsageEvent(db: Db, event: Insertable<Tables['usage_events']>): Promise<UsageEvent> {
  return db.insertInto('usage_events').values(event).returningAll().executeTakeFirstOrThrow();
}
