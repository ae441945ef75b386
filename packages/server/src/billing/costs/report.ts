import { cancelable } from '../../db/cancel.ts';
import type { Database } from '../../db/database.ts';
import type { Db } from '../../db/tables.ts';
import { DAY_MS } from '../../lib/clock.ts';
import { type PageRequest, toPage } from '../../lib/page.ts';
import { type Place, placeKey, readPlace } from './report-place.ts';
import type { ReportGroup } from './report-schema.ts';
import {
  allReportRows,
  COLUMN,
  isPeriod,
  lastDayOf,
  type ReportFilter,
  type ReportRow,
  reportRows,
  reportSums,
  unpricedEvents,
} from './report-store.ts';

export type { ReportFilter };
export type CostReports = ReturnType<typeof createCostReports>;

/** Maximum kinds of unpriced events in a report. */
export const MAX_UNPRICED_KINDS = 100;
/** Groups per batch of an export. */
const ROWS_AT_ONCE = 10_000;
/** Rollups per statement of an export; at least those of one period. */
const EXPORT_ROLLUPS = 100_000;
/** Rollups read per group of a page at first, and the factor if those are too few. */
const PAGE_ROLLUPS = 10;
const MORE = 4;

/** Grouped and filtered reports, computed from the rollups. `currency`: ISO 4217, for all amounts. */
export function createCostReports({ database, currency }: { database: Database; currency: string }) {
  const { db } = database;

  /**
   * The sums of all matching entries, and a page of the groups. Only the first page computes the sums, in one
   * snapshot; cursors carry them to the others.
   */
  async function report(filter: ReportFilter, groups: ReportGroup[], { limit, after }: PageRequest) {
    const place = after === null ? null : readPlace(after);
    const { items, unpriced, total_cost, events } = place
      ? await laterPage(filter, groups, limit + 1, place)
      : await firstPage(filter, groups, limit + 1);
    const keyOf = (row: ReportRow) => placeKey({ total_cost, events, after: keysOf(row, groups) }, filter, groups);
    const page = toPage(items, limit, keyOf);
    return {
      currency,
      total_cost,
      events,
      unpriced: { ...unpriced, kinds: unpriced.kinds.map((kind) => ({ ...kind, model: kind.model || null })) },
      ...page,
      items: page.items.map((row) => shown(row, filter, groups)),
    };
  }

  async function firstPage(filter: ReportFilter, groups: ReportGroup[], limit: number) {
    const asked = { limit, after: null, kinds: MAX_UNPRICED_KINDS };
    const { unpriced: kinds, unpriced_events, ...sums } = await reportSums(db, filter, groups, asked);
    return { ...sums, unpriced: { events: unpriced_events, kinds } };
  }

  async function laterPage(filter: ReportFilter, groups: ReportGroup[], limit: number, { after, ...sums }: Place) {
    const items = await rowsAfter(filter, groups, limit, after);
    return { ...sums, items, unpriced: await unpricedEvents(db, filter, MAX_UNPRICED_KINDS) };
  }

  /** If the first group is a period, reads only as many periods as the page needs. */
  async function rowsAfter(filter: ReportFilter, groups: ReportGroup[], limit: number, after: string[]) {
    const [first] = groups;
    if (!isPeriod(first)) return reportRows(db, filter, groups, limit, after);
    const rows: ReportRow[] = [];
    let rollups = PAGE_ROLLUPS * limit;
    for (let from = later(after[0] ?? '', filter.days.from); rows.length < limit; rollups *= MORE) {
      const rest = { ...filter, days: { from, to: filter.days.to } };
      const last = await lastDayOf(db, rest, first, rollups);
      if (last === null) break;
      const days = { from, to: earlier(last, filter.days.to) };
      rows.push(...(await reportRows(db, { ...filter, days }, groups, limit - rows.length, after)));
      from = dayAfter(last);
    }
    return rows;
  }

  /**
   * Passes all groups to `take` in the order of the pages, from one snapshot. If the first group is a period, a few
   * periods at a time, so that each statement stays small however long the report is. Canceled when the client is
   * `gone`.
   */
  function exportRows(
    filter: ReportFilter,
    groups: ReportGroup[],
    take: (rows: object[]) => Promise<void>,
    gone: AbortSignal,
  ) {
    const transaction = db.transaction().setIsolationLevel('repeatable read').setAccessMode('read only');
    return transaction.execute((trx) =>
      cancelable(database, trx, gone, async () => {
        for await (const rows of rowsOf(trx, filter, groups))
          await take(rows.map((row) => ({ ...shown(row, filter, groups), currency })));
      }),
    );
  }

  return { report, exportRows };
}

async function* rowsOf(trx: Db, filter: ReportFilter, groups: ReportGroup[]): AsyncGenerator<ReportRow[]> {
  const [first] = groups;
  if (!isPeriod(first)) return yield* allReportRows(trx, filter, groups, ROWS_AT_ONCE);
  for (let { from } = filter.days; ; ) {
    const rest = { ...filter, days: { from, to: filter.days.to } };
    const last = await lastDayOf(trx, rest, first, EXPORT_ROLLUPS);
    if (last === null) return;
    const days = { from, to: earlier(last, filter.days.to) };
    yield* allReportRows(trx, { ...filter, days }, groups, ROWS_AT_ONCE);
    from = dayAfter(last);
  }
}

function keysOf(row: ReportRow, groups: ReportGroup[]): string[] {
  return groups.map((group) => row[COLUMN[group]] ?? '');
}

/** A group in the response. A sum of minutes and tokens is not a quantity, so it is null. */
function shown(row: ReportRow, filter: ReportFilter, groups: ReportGroup[]) {
  const isOfOneType = filter.event_type !== null || groups.includes('event_type');
  const named = groups.map((group) => [COLUMN[group], shownValue(group, row[COLUMN[group]] || null)]);
  const { agent_name, quantity, total_cost, events, unpriced_events } = row;
  return {
    ...(Object.fromEntries(named) as Partial<Record<Exclude<Column, 'agent_version'>, string | null>> & {
      agent_version?: number | null;
    }),
    ...(agent_name !== undefined && { agent_name }),
    quantity: isOfOneType ? quantity : null,
    total_cost,
    events,
    unpriced_events,
  };
}

type Column = (typeof COLUMN)[ReportGroup];

const shownValue = (group: ReportGroup, text: string | null) =>
  group === 'agent_version' && text !== null ? Number(text) : text;

// YYYY-MM-DD sorts chronologically.
const later = (day: string, other: string | null) => (other !== null && other > day ? other : day);
const earlier = (day: string, other: string | null) => (other !== null && other < day ? other : day);

function dayAfter(day: string): string {
  return new Date(Date.parse(day) + DAY_MS).toISOString().slice(0, 10);
}
