import { type RawBuilder, sql } from 'kysely';
import { readSnapshot, type Snapshot } from '../lib/stream-position.ts';
import type { Db } from './tables.ts';

/** The time between two snapshots. */
export interface Span {
  seen: Snapshot;
  until: Snapshot;
}

export async function takeSnapshot(db: Db): Promise<Snapshot> {
  const { rows } = await sql<{ text: string }>`select txid_current_snapshot()::text as text`.execute(db);
  return readSnapshot(rows[0]?.text ?? '');
}

/**
 * Rows committed between two snapshots. The upper bound keeps the planner on the index before the table has
 * statistics.
 */
export function isBetween({ seen, until }: Span): RawBuilder<boolean> {
  const later = sql<boolean>`entry.tx >= ${seen.next}::bigint and entry.tx < ${until.next}::bigint`;
  const late = seen.inProgress.length > 0 ? sql` or entry.tx = any(${seen.inProgress}::bigint[])` : sql``;
  const early = until.inProgress.length > 0 ? sql` and entry.tx <> all(${until.inProgress}::bigint[])` : sql``;
  return sql`((${later})${late})${early}`;
}
