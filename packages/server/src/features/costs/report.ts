import type { Database } from '../../db/database.ts';
import { type PageRequest, toPage } from '../../lib/page.ts';
import type { ReportGroup } from './report-schema.ts';
import {
  COLUMN,
  isPeriod,
  nextPeriod,
  type ReportFilter,
  type ReportRow,
  reportRows,
  reportSums,
} from './report-store.ts';

export type { ReportFilter };
export type CostReports = ReturnType<typeof createCostReports>;

/** Kinds of unpriced events that a report lists. */
export const MAX_UNPRICED_KINDS = 100;
/** Groups that an export holds at once. */
const ROWS_AT_ONCE = 10_000;
const DAY_MS = 24 * 60 * 60 * 1000;

/** Reports with groups and filters, made of the rollups. `currency`: ISO 4217, of all amounts. */
export function createCostReports({ db, currency }: { db: Database['db']; currency: string }) {
  /** The sums of all entries that the filter finds, and a page of the groups. */
  async function report(filter: ReportFilter, groups: ReportGroup[], { limit, after }: PageRequest) {
    const place = after === null ? null : (JSON.parse(after) as string[]);
    const { items, unpriced, unpriced_events, ...total } = await reportSums(db, filter, groups, {
      ...{ limit: limit + 1, after: place, kinds: MAX_UNPRICED_KINDS },
    });
    const page = toPage(items, limit, (row) => JSON.stringify(placeOf(row, groups)));
    return {
      currency,
      ...total,
      unpriced: { events: unpriced_events, kinds: unpriced.map((kind) => ({ ...kind, model: kind.model || null })) },
      ...{ ...page, items: page.items.map((row) => shown(row, filter, groups)) },
    };
  }

  /**
   * All groups in the order of the pages. Where the first group is a period, one period at a time: a statement then
   * reads the rollups of that period alone, however long the report is.
   */
  async function* pages(filter: ReportFilter, groups: ReportGroup[]): AsyncGenerator<object[]> {
    for await (const rows of rowsOf(filter, groups))
      yield rows.map((row) => ({ ...shown(row, filter, groups), currency }));
  }

  async function* rowsOf(filter: ReportFilter, groups: ReportGroup[]): AsyncGenerator<ReportRow[]> {
    const [first] = groups;
    if (!isPeriod(first)) return yield* allOf(filter, groups);
    for (let rest: string | null = filter.days.from; ; ) {
      const period = await nextPeriod(db, { ...filter, days: { from: rest, to: filter.days.to } }, first);
      if (!period) return;
      const days = { from: later(period.from, rest), to: earlier(period.to, filter.days.to) };
      yield* allOf({ ...filter, days }, groups);
      rest = dayAfter(period.to);
    }
  }

  async function* allOf(filter: ReportFilter, groups: ReportGroup[]): AsyncGenerator<ReportRow[]> {
    for (let after: string[] | null = null; ; ) {
      const rows: ReportRow[] = await reportRows(db, filter, groups, ROWS_AT_ONCE, after);
      yield rows;
      const last = rows.at(-1);
      if (!last || rows.length < ROWS_AT_ONCE) return;
      after = placeOf(last, groups);
    }
  }

  return { report, pages };
}

/** Whether a cursor names a place in a report with that many groups. */
export function isReportPlace(key: string, groups: number): boolean {
  try {
    const place: unknown = JSON.parse(key);
    const isText = (text: unknown) => typeof text === 'string' && text.isWellFormed() && !text.includes('\0');
    return Array.isArray(place) && place.length === groups && place.every(isText);
  } catch {
    return false;
  }
}

function placeOf(row: ReportRow, groups: ReportGroup[]): string[] {
  return groups.map((group) => row[COLUMN[group]] ?? '');
}

/** A group as it is answered. A sum of minutes and tokens is no quantity. */
function shown(row: ReportRow, filter: ReportFilter, groups: ReportGroup[]) {
  const isOfOneType = filter.event_type !== null || groups.includes('event_type');
  const named = groups.map((group) => [COLUMN[group], row[COLUMN[group]] || null]);
  const { agent_name, quantity, total_cost, events, unpriced_events } = row;
  return {
    ...(Object.fromEntries(named) as Partial<Record<(typeof COLUMN)[ReportGroup], string | null>>),
    ...(agent_name !== undefined && { agent_name }),
    ...{ quantity: isOfOneType ? quantity : null, total_cost, events, unpriced_events },
  };
}

// Days as texts, YYYY-MM-DD, sort as they follow one another.
const later = (day: string, other: string | null) => (other !== null && other > day ? other : day);
const earlier = (day: string, other: string | null) => (other !== null && other < day ? other : day);

function dayAfter(day: string): string {
  return new Date(Date.parse(day) + DAY_MS).toISOString().slice(0, 10);
}
