import type { Insertable, Selectable } from 'kysely';
import { sql } from 'kysely';
import { type Batch, deleteOld } from '../../db/retention-batches.ts';
import type { Db, Tables } from '../../db/tables.ts';

export type CassetteRow = Selectable<Tables['cassettes']>;

export function findCassette(db: Db, id: string): Promise<CassetteRow | undefined> {
  return db.selectFrom('cassettes').selectAll().where('id', '=', id).executeTakeFirst();
}

/** Adds a cassette, or replaces the one with its id. */
export async function putCassette(trx: Db, cassette: Insertable<Tables['cassettes']>): Promise<void> {
  const { id: _, ...change } = cassette;
  await trx
    .insertInto('cassettes')
    .values(cassette)
    .onConflict((conflict) => conflict.column('id').doUpdateSet(change))
    .execute();
}

/** Returns whether there was one. */
export async function deleteCassette(trx: Db, id: string): Promise<boolean> {
  const { numDeletedRows } = await trx.deleteFrom('cassettes').where('id', '=', id).executeTakeFirst();
  return numDeletedRows > 0n;
}

export async function deleteCassettesOf(trx: Db, user_id: string): Promise<void> {
  await trx.deleteFrom('cassettes').where('user_id', '=', user_id).execute();
}

export async function isScenario(db: Db, id: string): Promise<boolean> {
  return (await db.selectFrom('scenarios').select('id').where('id', '=', id).executeTakeFirst()) !== undefined;
}

export async function deleteCassettesOfCalls(trx: Db, call_ids: string[]): Promise<void> {
  if (call_ids.length > 0) await trx.deleteFrom('cassettes').where('id', 'in', call_ids).execute();
}

const OF_CALLS = {
  table: 'cassettes',
  id: 'id',
  where: sql<boolean>`not exists (select from scenarios where scenarios.id = cassettes.id)`,
};

/** Deletes a batch of the cassettes of calls, by the time of their recording. */
export const deleteOldCassettes = (db: Db, batch: Batch) => deleteOld(db, { ...OF_CALLS, at: 'recorded_at' }, batch);

/** The same by the time of the calls. */
export const deleteOldCallCassettes = (db: Db, batch: Batch) => deleteOld(db, OF_CALLS, batch);
