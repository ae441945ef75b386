import type { Insertable, Selectable } from 'kysely';
import { sql } from 'kysely';
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

/** Deletes up to `limit` cassettes of calls that were recorded before; returns their number. */
export async function deleteOldCassettes(db: Db, before: Date, limit: number): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from cassettes where id = any (array(
      select id from cassettes
      where recorded_at < ${before} and not exists (select from scenarios where scenarios.id = cassettes.id)
      order by recorded_at limit ${limit}::integer
    ))`.execute(db);
  return Number(numAffectedRows ?? 0);
}

export async function isScenario(db: Db, id: string): Promise<boolean> {
  return (await db.selectFrom('scenarios').select('id').where('id', '=', id).executeTakeFirst()) !== undefined;
}

export async function deleteCassettesOfCalls(trx: Db, call_ids: string[]): Promise<void> {
  if (call_ids.length > 0) await trx.deleteFrom('cassettes').where('id', 'in', call_ids).execute();
}

/** Deletes up to `limit` cassettes of calls from before the id `before`; returns their number. */
export async function deleteOldCallCassettes(db: Db, before: string, limit: number): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from cassettes where id = any (array(
      select id from cassettes
      where id < ${before}::uuid and not exists (select from scenarios where scenarios.id = cassettes.id)
      order by id limit ${limit}::integer
    ))`.execute(db);
  return Number(numAffectedRows ?? 0);
}
