import { type RawBuilder, sql } from 'kysely';
import { NIL } from 'uuid';
import { timeOf } from '../lib/ids.ts';
import { isHeld, isSessionHeld, shareHolds } from './legal-holds.ts';
import type { Db } from './tables.ts';

/** Rows in the order of their age, and the columns that say whose they are. */
interface AgedRows {
  table: string;
  /** The key. */
  id: string;
  /** A time that comes before the key in the order; without one the key itself is in the order of age. */
  at?: string;
  /** The session that they belong to, or their user, and their agent if they have one; absent: no hold keeps them. */
  of?: { session?: string; user?: string; agent?: string };
  where?: RawBuilder<boolean>;
}

/** Up to `limit` rows from before the id `before`, or its time, that come after the place `after`. */
export interface Batch {
  before: string;
  limit: number;
  /** Null: from the oldest on. */
  after: string | null;
}

/** Rows that may be deleted, and the place from which to go on; null if there are no more. */
export interface OldRows {
  ids: string[];
  next: string | null;
}

/** How many rows were deleted, and the place from which to go on; null if there are no more. */
export interface Deleted {
  deleted: number;
  next: string | null;
}

/** A batch of the oldest rows, where nothing is skipped: the next one begins with the oldest that are left. */
export const deletedOldest = (deleted: number, { limit }: Batch): Deleted => ({
  deleted,
  next: deleted === limit ? NIL : null,
});

/**
 * The rows of a batch that no hold keeps, for a transaction that deletes them. Looks at no row twice in a round, and at
 * no more than a batch in one statement, however many are held.
 */
export async function listOld(
  trx: Db,
  { table, id, at, of, where = sql<boolean>`true` }: AgedRows,
  { before, limit, after }: Batch,
): Promise<OldRows> {
  if (of) await shareHolds(trx);
  const [key, time] = [sql.ref(id), at === undefined ? null : sql.ref(at)];
  const [last = NIL, ...moment] = after?.split(' ') ?? [];
  const since = moment.join(' ') || '-infinity';
  const isLeft = time
    ? sql`${time} < ${timeOf(before).toISOString()}::timestamptz and (${time}, ${key}) > (${since}::timestamptz, ${last}::uuid)`
    : sql`${key} < ${before}::uuid and ${key} > ${last}::uuid`;
  const order = time ? sql`${time}, ${key}` : key;
  const columns = [...new Set([id, ...(at ? [at] : []), ...Object.values(of ?? {})])].map((name) => sql.ref(name));
  const { rows } = await sql<{ id: string; at: string | null; is_held: boolean }>`
    with looked_at as materialized (
      select ${sql.join(columns)} from ${sql.table(table)} where ${isLeft} and ${where} order by ${order} limit ${limit}
    )
    select ${key} as id, ${time ?? sql`null`}::text as at, ${of ? heldOf(of) : sql`false`} as is_held
    from looked_at order by ${order}`.execute(trx);
  const end = rows.length === limit ? rows.at(-1) : undefined;
  return {
    ids: rows.flatMap((row) => (row.is_held ? [] : [row.id])),
    next: end ? [end.id, end.at ?? ''].join(' ') : null,
  };
}

function heldOf({ session, user, agent }: NonNullable<AgedRows['of']>): RawBuilder<boolean> {
  const conditions = [
    ...(session ? [isSessionHeld(sql.ref(`looked_at.${session}`))] : []),
    ...(user ? [isHeld(`looked_at.${user}`, agent ? `looked_at.${agent}` : null)] : []),
  ];
  return sql`(${sql.join(conditions, sql` or `)})`;
}

/** Deletes the rows of a batch that no hold keeps. */
export function deleteOld(db: Db, rows: AgedRows, batch: Batch): Promise<Deleted> {
  return db.transaction().execute(async (trx) => {
    const { ids, next } = await listOld(trx, rows, batch);
    if (ids.length === 0) return { deleted: 0, next };
    const { table, id, where = sql<boolean>`true` } = rows;
    const deleted = await sql`
      delete from ${sql.table(table)} where ${sql.ref(id)} = any(${ids}::uuid[]) and ${where}`.execute(trx);
    return { deleted: Number(deleted.numAffectedRows), next };
  });
}
