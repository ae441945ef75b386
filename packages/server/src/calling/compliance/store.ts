import type { Selectable } from 'kysely';
import { type Batch, type Deleted, deleteOld } from '../../db/retention-batches.ts';
import type { Db, Tables } from '../../db/tables.ts';

export type DisclosureRow = Selectable<Tables['call_disclosures']>;
export type OptOutRow = Selectable<Tables['call_opt_outs']>;

/** Keeps the first report of a call. */
export async function addDisclosure(trx: Db, row: DisclosureRow): Promise<void> {
  await trx
    .insertInto('call_disclosures')
    .values(row)
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

export function findDisclosure(db: Db, call_id: string): Promise<DisclosureRow | undefined> {
  return db.selectFrom('call_disclosures').selectAll().where('call_id', '=', call_id).executeTakeFirst();
}

/** Whether it is the first of its call. */
export async function addOptOut(trx: Db, row: OptOutRow): Promise<boolean> {
  const insert = trx.insertInto('call_opt_outs').values(row);
  const added = await insert.onConflict((conflict) => conflict.doNothing()).executeTakeFirst();
  return Number(added.numInsertedOrUpdatedRows) > 0;
}

export function findOptOut(db: Db, call_id: string): Promise<OptOutRow | undefined> {
  return db.selectFrom('call_opt_outs').selectAll().where('call_id', '=', call_id).executeTakeFirst();
}

/** Whether the target of a transfer is on the line: then nobody knows which of the two has said something. */
export async function hasTarget(db: Db, session_id: string): Promise<boolean> {
  const query = db.selectFrom('transfers').select('id').where('session_id', '=', session_id);
  const connected = query.where('answered_at', 'is not', null).where('line_ended_at', 'is', null).limit(1);
  return (await connected.executeTakeFirst()) !== undefined;
}

/** The newest words of the person in the call. */
export async function lastWords(db: Db, session_id: string, since: string): Promise<string | null> {
  const query = db.selectFrom('transcripts').select('id').where('session_id', '=', session_id);
  const newest = query.where('id', '>=', since).where('speaker', '=', 'USER').orderBy('seq', 'desc').limit(1);
  return (await newest.executeTakeFirst())?.id ?? null;
}

/** The purpose that the call was decided for; null if nothing was recorded. */
export async function purposeOf(db: Db, call_id: string): Promise<string | null> {
  const query = db.selectFrom('dial_decisions').select('purpose').where('call_id', '=', call_id);
  return (await query.where('kind', '=', 'call').orderBy('id').limit(1).executeTakeFirst())?.purpose ?? null;
}

export async function deleteDisclosures(trx: Db, call_ids: string[]): Promise<void> {
  if (call_ids.length > 0) await trx.deleteFrom('call_disclosures').where('call_id', 'in', call_ids).execute();
}

export async function deleteOptOuts(trx: Db, call_ids: string[]): Promise<void> {
  if (call_ids.length > 0) await trx.deleteFrom('call_opt_outs').where('call_id', 'in', call_ids).execute();
}

/** Deletes a batch of the disclosures, but none under a legal hold. */
export function deleteOldDisclosures(db: Db, batch: Batch): Promise<Deleted> {
  return deleteOld(db, { table: 'call_disclosures', id: 'call_id', of: { session: 'call_id' } }, batch);
}
