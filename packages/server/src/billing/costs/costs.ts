import type { Session, Sessions } from '../../conversations/sessions/sessions.ts';
import type { Database } from '../../db/database.ts';
import type { Days } from '../../http/date-range.ts';
import type { Clock } from '../../lib/clock.ts';
import { idsSince } from '../../lib/ids.ts';
import { type PageRequest, toPage } from '../../lib/page.ts';
import {
  costByAgent,
  costByPeriod,
  costByProvider,
  type EventsOf,
  newestEvent,
  type Period,
  sessionCosts,
  sessionEvents,
} from './store.ts';

export type Costs = ReturnType<typeof createCosts>;

/** Cost reports. The database computes the sums, in exact decimals. */
export function createCosts({ db, clock, sessions }: { db: Database['db']; clock: Clock; sessions: Sessions }) {
  /** Totals, optionally of some days. `this_month_cost` is always the calendar month's. */
  async function summary(user_id: string, days: Days) {
    const now = clock.now();
    const rows = await costByProvider(db, user_id, days, monthOf(now, 0), monthOf(now, 1));
    const all = rows.find((row) => row.provider === null);
    return {
      total_cost: all?.cost ?? '0',
      this_month_cost: all?.month_cost ?? '0',
      by_provider: byName(rows, 'provider'),
    };
  }

  /** One item per period that has events. */
  async function timeline(user_id: string, period: Period, days: Days) {
    const rows = await costByPeriod(db, user_id, period, days);
    const periods = Map.groupBy(rows, (row) => row.date);
    return Array.from(periods, ([date, costs]) => ({
      date,
      total_cost: costs.find((row) => row.provider === null)?.cost ?? '0',
      by_provider: byName(costs, 'provider'),
    }));
  }

  /** Costs of one session, with a page of its events. Throws `not_found`. */
  async function ofSession(id: string, page: PageRequest, caller: string | null) {
    const session = eventsOf(await sessions.get(id, caller));
    // One snapshot: an event that arrives between two queries must not be in the list and missing from the sums.
    const { rows, events } = await db
      .transaction()
      .setIsolationLevel('repeatable read')
      .execute(async (trx) => ({
        rows: await sessionCosts(trx, session),
        events: await sessionEvents(trx, session, page),
      }));
    const { items, next_cursor } = toPage(events, page.limit, (event) => event.id);
    return {
      session_id: session.session_id,
      ...sumsOf(rows),
      events: items,
      next_cursor,
    };
  }

  /** The sums of one session, and the id of its newest event, which they may lack; null without events. */
  async function totalOf(id: string) {
    const session = eventsOf(await sessions.get(id, null));
    const sums = sumsOf(await sessionCosts(db, session));
    return { ...sums, newest: await newestEvent(db, session) };
  }

  /** Workers know the session's id only after it was created. */
  function eventsOf({ id, user_id }: Pick<Session, 'id' | 'user_id'>): EventsOf {
    return { session_id: id, user_id, since: idsSince(id, clock.now()) };
  }

  return {
    summary,
    timeline,
    ofSession,
    totalOf,
    byAgent: (user_id: string, days: Days) => costByAgent(db, user_id, days),
  };
}

/** The first day of the month that is `after` months after that of `date`, UTC. */
function monthOf(date: Date, after: number): string {
  return new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + after)).toISOString().slice(0, 10);
}

function sumsOf(rows: Awaited<ReturnType<typeof sessionCosts>>) {
  return {
    total_cost: rows.find((row) => row.event_type === null && row.provider === null)?.cost ?? '0',
    by_event_type: byName(rows, 'event_type'),
    by_provider: byName(rows, 'provider'),
  };
}

/** Costs of the rows with a name in this column. */
function byName<K extends string>(
  rows: ({ cost: string } & Record<K, string | null>)[],
  column: K,
): Record<string, string> {
  return Object.fromEntries(rows.flatMap((row) => (row[column] === null ? [] : [[row[column], row.cost]])));
}
