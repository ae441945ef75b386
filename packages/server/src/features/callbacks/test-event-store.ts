import { type Insertable, sql } from 'kysely';
import type { Db, Tables } from '../../db/tables.ts';
import { idsFrom } from '../../lib/ids.ts';
import { TEST_EVENT } from './schema.ts';
import { type Callback, hostOf } from './store.ts';

type Sent = Pick<Insertable<Tables['callbacks']>, 'id' | 'user_id' | 'endpoint_id' | 'url' | 'payload' | 'traceparent'>;

/** Queues a test event for one endpoint, to be sent once the transaction is committed. */
export function insertTestEvent(trx: Db, event: Sent, at: Date): Promise<Callback> {
  return trx
    .insertInto('callbacks')
    .values({
      ...event,
      session_id: null,
      type: TEST_EVENT,
      host: hostOf(event.url),
      status: 'pending',
      attempts: 0,
      next_attempt_at: at,
      send_at: sql<Date>`now()`,
      created_at: at,
      updated_at: at,
    })
    .returningAll()
    .executeTakeFirstOrThrow();
}

/** The creation time of the user's `place`-newest test event since `since`. */
export async function findTestEvent(db: Db, user_id: string, since: Date, place: number): Promise<Date | undefined> {
  const found = await db
    .selectFrom('callbacks')
    .select('created_at')
    .where('user_id', '=', user_id)
    // Bounds the rows that are read: an id is created with its row, or later.
    .where('id', '>=', idsFrom(since))
    .where('created_at', '>', since)
    .where('type', '=', TEST_EVENT)
    .orderBy('id', 'desc')
    .offset(place - 1)
    .limit(1)
    .executeTakeFirst();
  return found?.created_at;
}
