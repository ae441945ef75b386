import type { Database } from '../../db/database.ts';
import type { Clock } from '../../lib/clock.ts';
import { isId } from '../../lib/ids.ts';
import { type PageRequest, toPage } from '../../lib/page.ts';
import { type EventFilter, listEvents, type Place } from './list-store.ts';
import type { UsageEvent } from './store.ts';

export type UsageList = ReturnType<typeof createUsageList>;

/** Rows per batch of an export. */
const ROWS_AT_ONCE = 1_000;

/** Lists of the ledger, oldest first. */
export function createUsageList({ db, clock }: { db: Database['db']; clock: Clock }) {
  async function page(filter: EventFilter, { limit, after }: PageRequest) {
    const rows = await listEvents(db, filter, limit + 1, after === null ? null : placeOf(after));
    return toPage(rows, limit, keyOf);
  }

  /** All events so far, in pages; those logged meanwhile are excluded, so that the export ends. */
  async function* pages(filter: EventFilter): AsyncGenerator<UsageEvent[]> {
    const until = clock.now();
    for (let after: Place | null = null; ; ) {
      const rows: UsageEvent[] = await listEvents(db, filter, ROWS_AT_ONCE, after, until);
      yield rows;
      const last = rows.at(-1);
      if (!last || rows.length < ROWS_AT_ONCE) return;
      after = last;
    }
  }

  return { page, pages };
}

function keyOf({ created_at, id }: UsageEvent): string {
  return `${created_at.toISOString()} ${id}`;
}

/** Whether a cursor is valid. */
export function isPlace(key: string): boolean {
  const [time = '', id = '', ...rest] = key.split(' ');
  const isTime = /^(?!0000)\d{4}-\d\d-\d\dT[\d:.]{12}Z$/.test(time) && !Number.isNaN(Date.parse(time));
  return rest.length === 0 && isTime && isId(id);
}

function placeOf(key: string): Place {
  const [time = '', id = ''] = key.split(' ');
  return { created_at: new Date(time), id };
}
