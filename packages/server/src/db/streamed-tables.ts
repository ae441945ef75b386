import { sql } from 'kysely';
import type { Db } from './tables.ts';

/** Tables whose rows carry the number of the transaction that wrote them (`tx`), for the stream over all calls. */
export const STREAMED_TABLES = ['session_events', 'transcripts', 'usage_events', 'callback_attempts'] as const;

/**
 * Takes rows out of that stream that carry a number which this database has yet to give: they were restored from a dump
 * of another one, and would be sent when it gives them. Finds none otherwise.
 */
export async function disownForeignRows(db: Db): Promise<void> {
  for (const table of STREAMED_TABLES)
    await sql`
      update ${sql.table(table)} set tx = 0 where tx >= txid_snapshot_xmax(txid_current_snapshot())`.execute(db);
}
