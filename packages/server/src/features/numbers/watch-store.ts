import { type Insertable, type Selectable, sql } from 'kysely';
import type { Db, Tables } from '../../db/tables.ts';

export type Watch = Selectable<Tables['number_watches']>;

/** Watches the number from now on; restarts an existing watch. */
export async function upsertWatch(db: Db, watch: Insertable<Tables['number_watches']>): Promise<void> {
  await db
    .insertInto('number_watches')
    .values(watch)
    .onConflict((conflict) => conflict.column('phone_number').doUpdateSet(watch))
    .execute();
}

export function findWatch(db: Db, phone_number: string): Promise<Watch | undefined> {
  return db.selectFrom('number_watches').selectAll().where('phone_number', '=', phone_number).executeTakeFirst();
}

/** Claims due watches, each for one process, and schedules the next check with a doubled pause. */
export function takeDueWatches(db: Db, now: Date, firstPauseMs: number): Promise<Watch[]> {
  const pause = sql<Date>`${now}::timestamptz + (2 ^ (looks + 1)) * ${firstPauseMs}::integer * interval '1 millisecond'`;
  return db
    .updateTable('number_watches')
    .set((row) => ({ look_at: pause, looks: sql<number>`${row.ref('looks')} + 1` }))
    .where('look_at', '<=', now)
    .returningAll()
    .execute();
}

export async function deleteWatch(db: Db, phone_number: string): Promise<void> {
  await db.deleteFrom('number_watches').where('phone_number', '=', phone_number).execute();
}
