import { sql } from 'kysely';
import { type Batch, type Deleted, deleteOld } from '../../db/retention-batches.ts';
import type { Db } from '../../db/tables.ts';
import type { JsonObject } from '../../lib/json.ts';

export async function insertCheck(trx: Db, id: string, asked: object): Promise<void> {
  await trx
    .insertInto('provider_checks')
    .values({ id, asked: JSON.stringify(asked) })
    .execute();
}

/** Notes that a worker has begun; returns what is asked, or undefined if nobody waits for it any more. */
export async function claimCheck(db: Db, id: string, claimed_at: Date): Promise<JsonObject | undefined> {
  const claimed = db.updateTable('provider_checks').set({ claimed_at }).where('id', '=', id).returning('asked');
  return (await claimed.executeTakeFirst())?.asked;
}

export async function saveResult(trx: Db, id: string, result: JsonObject): Promise<void> {
  await trx
    .updateTable('provider_checks')
    .set({ result: JSON.stringify(result) })
    .where('id', '=', id)
    .execute();
}

/** How far a check is; undefined once it is deleted. */
export async function findCheck(db: Db, id: string) {
  const check = db.selectFrom('provider_checks').select(['claimed_at', 'result']).where('id', '=', id);
  const found = await check.executeTakeFirst();
  return found && { isClaimed: found.claimed_at !== null, result: found.result };
}

export async function deleteCheck(trx: Db, id: string): Promise<void> {
  await trx.deleteFrom('provider_checks').where('id', '=', id).execute();
}

/** Deletes the checks of functions that a user has asked for; those of models are nobody's. */
export async function deleteChecksOf(trx: Db, user_id: string): Promise<void> {
  await trx.deleteFrom('provider_checks').where(sql`asked->>'user_id'`, '=', user_id).execute();
}

/** Deletes a batch of the checks, of processes that have died. */
export function deleteOldChecks(db: Db, batch: Batch): Promise<Deleted> {
  return deleteOld(db, { table: 'provider_checks', id: 'id' }, batch);
}
