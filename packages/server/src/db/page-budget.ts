import { type Expression, type RawBuilder, type SelectQueryBuilder, sql } from 'kysely';
import type { Db, Tables } from './tables.ts';

/** Bytes of texts or objects per page. A page ends after the item that exceeds the budget. */
export const PAGE_BYTES = 1024 * 1024;

interface Page {
  limit: number;
  /** The column and direction that the pages are sorted by. */
  order: RawBuilder<unknown>;
  /** The size of a row in bytes, cheap to read without the text or object itself. */
  bytes: Expression<number>;
  /** Bytes of the page, if not `PAGE_BYTES`. */
  budget?: number;
}

/**
 * The rows that fit into the page, at least one. `found` in each row is the number of rows the query returned, at
 * most `limit` plus one. Texts and objects beyond the page are not read.
 */
export async function pageWithinBudget<Row extends object>(
  db: Db,
  query: SelectQueryBuilder<Tables, keyof Tables, Row>,
  { limit, order, bytes, budget = PAGE_BYTES }: Page,
): Promise<(Row & { found: number })[]> {
  const { rows } = await sql<Row & { found: number }>`
    select * from (
      select page.*, count(*) over () as found,
        coalesce(sum(${bytes}) over (order by ${order} rows between unbounded preceding and 1 preceding), 0) as bytes_before
      from (${query.limit(limit + 1)}) as page
    ) as measured
    where bytes_before < ${sql.lit(budget)} order by ${order} limit ${limit}`.execute(db);
  return rows;
}
