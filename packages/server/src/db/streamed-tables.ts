import { type RawBuilder, sql } from 'kysely';
import { MAX, NIL } from 'uuid';
import type { Db } from './tables.ts';

/** Tables whose rows carry the id of the transaction that wrote them (`tx`), for the stream over all calls. */
export const STREAMED_TABLES = [
  'session_events',
  'transcripts',
  'turns',
  'usage_events',
  'callback_attempts',
  'campaigns',
] as const;

/** Rows per statement, which takes a small part of the time that a query may take. */
const BATCH = 2_000;
const IS_FOREIGN = sql<boolean>`tx >= txid_snapshot_xmax(txid_current_snapshot())`;

/**
 * Clears transaction ids that this database has not assigned yet: such rows were restored from a dump of another
 * database, and would be streamed once the ids are reached. Writes only if there are any, `limit` rows at a time: a
 * process that fails in between has done a part for the next one.
 */
export async function clearForeignTransactionIds(db: Db, limit = BATCH): Promise<void> {
  for (const name of STREAMED_TABLES) {
    const table = sql.table(name);
    // Sorted, so that the index is used: otherwise all rows that were cleared before might be read.
    const { rows } = await sql`select tx from ${table} where ${IS_FOREIGN} order by tx limit 1`.execute(db);
    if (rows.length > 0) await clearTable(db, table, limit);
  }
}

/** By their ids rather than by `tx`: one transaction may have written any number of rows. */
async function clearTable(db: Db, table: RawBuilder<unknown>, limit: number): Promise<void> {
  for (let after: string = NIL; after !== MAX; ) {
    const { rows } = await sql<{ id: string }>`
      select id from ${table} where id > ${after}::uuid order by id offset ${limit - 1} limit 1`.execute(db);
    const last = rows[0]?.id ?? MAX;
    await sql`
      update ${table} set tx = 0 where id > ${after}::uuid and id <= ${last}::uuid and ${IS_FOREIGN}`.execute(db);
    after = last;
  }
}
