import { type Expression, type RawBuilder, type SelectQueryBuilder, sql } from 'kysely';
import type { Db, Tables } from './tables.ts';

/** Bytes of texts or objects that one page holds. A page whose items have more ends after the one that exceeds it. */
export const PAGE_BYTES = 1024 * 1024;

interface Page {
  limit: number;
  /** The column that the pages are ordered by, and the direction. */
  order: RawBuilder<unknown>;
  /** Bytes a row counts for, cheap to read without the text or object itself. */
  bytes: Expression<number>;
}

/**
 * The rows of a page, as many as have room in it and one at least; `found` tells in each row how many the query gave,
 * one more than `limit` at most. Texts and objects beyond the page are not read.
 */
export async function pageWithinBudget<Row extends object>(
  db: Db,
  query: SelectQueryBuilder<Tables, keyof Tables, Row>,
  { limit, order, bytes }: Page,
): Promise<(Row & { found: number })[]> {
  const { rows } = await sql<Row & { found: number }>`
    select * from (
      select page.*, count(*) over () as found,
        coalesce(sum(${bytes}) over (order by ${order} rows between unbounded preceding and 1 preceding), 0) as bytes_before
      from (${query.limit(limit + 1)}) as page
    ) as measured
    where bytes_before < ${sql.lit(PAGE_BYTES)} order by ${order} limit ${limit}`.execute(db);
  return rows;
}
