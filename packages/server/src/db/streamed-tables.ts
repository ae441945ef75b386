import { sql } from 'kysely';
import type { Db } from './tables.ts';

/** Tables whose rows carry the number of the transaction that wrote them (`tx`), for the stream over all calls. */
export const STREAMED_TABLES = ['session_events', 'transcripts', 'turns', 'usage_events', 'callback_attempts'] as const;

/**
 * Takes rows out of that stream that carry a number which this database has yet to give: they were restored from a dump
 * of another one, and would be sent when it gives them. Writes, and waits for whoever has locked a table, only where
 * there are some.
 */
export async function disownForeignRows(db: Db): Promise<void> {
  const isForeign = sql`tx >= txid_snapshot_xmax(txid_current_snapshot())`;
  for (const name of STREAMED_TABLES) {
    const table = sql.table(name);
    const { rows } = await sql<{ found: boolean }>`
      select exists (select from ${table} where ${isForeign}) as found`.execute(db);
    if (rows[0]?.found) await sql`update ${table} set tx = 0 where ${isForeign}`.execute(db);
  }
}
