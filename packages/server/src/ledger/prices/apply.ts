import type { Audit } from '../../access/audit/audit.ts';
import type { Database } from '../../db/database.ts';
import type { Db } from '../../db/tables.ts';
import type { Days } from '../../http/date-range.ts';
import type { Clock } from '../../lib/clock.ts';
import { idsOfDay, newId } from '../../lib/ids.ts';
import type { Actor } from '../../lib/principal.ts';
import { firstDay, insertUsageEvents } from '../usage/usage.ts';
import { countOpenBefore, listOpenEvents, lockPricing, type OpenEvent, openDays, sumOf } from './ledger-store.ts';
import { priceEvents } from './prices.ts';

export type ApplyPrices = ReturnType<typeof createApplyPrices>;

/** Events per transaction. */
const EVENTS_AT_ONCE = 1_000;
/** Maximum missing prices in a response. */
export const MAX_MISSING = 100;

/** Usage without a price in the book, and its number of events. */
type Missing = Pick<OpenEvent, 'provider' | 'event_type' | 'model' | 'direction'> & { events: number };

interface Applied {
  priced: number;
  total_cost: string;
  unpriced: number;
  missing: Missing[];
  detached: number;
  /** The event to continue after; null when all were checked. */
  next: string | null;
}

/** Prices events that were logged without a price, by adjusting entries. */
export function createApplyPrices({ db, clock, audit }: { db: Database['db']; clock: Clock; audit: Audit }) {
  /**
   * Checks up to `limit` events of some days after an id, a thousand per transaction. Each is priced once: idempotent
   * and safe to interrupt or run concurrently. Events of detached months are only counted.
   */
  return async (days: Days, after: string | null, limit: number, actor: Actor): Promise<Applied> => {
    const first = await firstDay(db);
    const detached = first === null ? 0 : await countOpenBefore(db, days, first);
    const open = await openDays(db, days);
    const missing = new Map<string, Missing>();
    const done = { priced: 0, total_cost: '0', seen: 0 };
    let next = open ? (after ?? idsOfDay(open.from, -1)) : null;
    while (open && next !== null && done.seen < limit) {
      const last: string = next;
      const { seen, costs, unpriced } = await db.transaction().execute((trx) => priceSome(trx, open, last, actor));
      for (const event of unpriced) count(missing, event);
      done.total_cost = await sumOf(db, [done.total_cost, ...costs]);
      done.priced += costs.length;
      done.seen += seen.length;
      next = seen.length < EVENTS_AT_ONCE ? null : (seen.at(-1) ?? null);
    }
    const kinds = [...missing.values()].sort((a, b) => b.events - a.events);
    const unpriced = kinds.reduce((sum, { events }) => sum + events, 0);
    const { priced, total_cost } = done;
    return { priced, total_cost, unpriced, missing: kinds.slice(0, MAX_MISSING), detached, next };
  };

  async function priceSome(trx: Db, open: { from: string; to: string }, after: string, actor: Actor) {
    await lockPricing(trx);
    const events = await listOpenEvents(trx, open, after, idsOfDay(open.to, 2), EVENTS_AT_ONCE);
    const found = await priceEvents(trx, events);
    const entries = found.flatMap((event) => (event.unit_cost === null ? [] : [toEntry(event, clock.now())]));
    if (entries.length > 0) {
      const [first] = entries;
      await audit.record(trx, actor, 'prices.applied', `usage_event/${first?.id}`, {
        detail: `${entries.length} events`,
      });
    }
    const written = entries.length > 0 ? await insertUsageEvents(trx, entries) : null;
    return {
      seen: events.map(({ id }) => id),
      costs: (written ?? []).map(({ total_cost }) => total_cost),
      unpriced: found.filter(({ unit_cost }) => unit_cost === null),
    };
  }
}

/** The entry that adds an event's cost, on the event's day. */
function toEntry({ id, day, quantity: _, unit_cost, total_cost, ...same }: OpenEvent, created_at: Date) {
  const pricing = { adjusts: id, used_on: day, is_pricing: true };
  return { ...same, ...pricing, id: newId(), quantity: '0', unit_cost, total_cost, created_at };
}

function count(missing: Map<string, Missing>, { provider, event_type, model, direction }: OpenEvent): void {
  const key = JSON.stringify([provider, event_type, model, direction]);
  const known = missing.get(key) ?? { provider, event_type, model, direction, events: 0 };
  missing.set(key, { ...known, events: known.events + 1 });
}
