import { sql } from 'kysely';
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

/**
 * Clears transaction ids that this database has not assigned yet: such rows were restored from a dump of another
 * database, and would be streamed once the ids are reached. Takes table locks only if there are any.
 */
export async function clearForeignTransactionIds(db: Db): Promise<void> {
  const isForeign = sql`tx >= txid_snapshot_xmax(txid_current_snapshot())`;
  for (const name of STREAMED_TABLES) {
    const table = sql.table(name);
    const { rows } = await sql<{ found: boolean }>`
      select exists (select from ${table} where ${isForeign}) as found`.execute(db);
    if (rows[0]?.found) await sql`update ${table} set tx = 0 where ${isForeign}`.execute(db);
  }
}
