import { onceEach, type Repeatable } from '../../access/idempotency/idempotency.ts';
import type { Database } from '../../db/database.ts';
import { createGroupCommit } from '../../db/group-commit.ts';
import type { Db } from '../../db/tables.ts';
import { insertUsageEvents, type NewUsageEvent, type UsageEvent } from './store.ts';

/** Rows per statement, and events that may queue: a few seconds of the database's throughput. */
const LIMITS = { batch_size: 1000, queue_depth: 10_000 };
/** Events per request up to which requests share a commit. Larger ones would only delay the others. */
export const MAX_SHARED = 100;

/** An event as it will be returned, except for its amounts. */
type Event = NewUsageEvent & Omit<UsageEvent, 'quantity' | 'unit_cost' | 'total_cost' | 'is_unpriced'>;

/** A request with one event, or with a list, which is answered with a list. */
export interface Entry extends Repeatable {
  events: Event | Event[];
}

/** Events in the ledger, and whether this request wrote them or an earlier one with its key. */
export interface Logged {
  answer: UsageEvent | UsageEvent[];
  first: boolean;
}

/** Prices events and writes them; see `Deps.price` in usage.ts. */
export type Price = <E extends NewUsageEvent, R>(
  db: Db,
  events: E[],
  insert: (events: E[], book: number | null) => Promise<R | null>,
) => Promise<R | null>;

/** Group commit: each commit costs a disk write, however many rows it has. */
export function createIngest(db: Database['db'], price: Price) {
  return createGroupCommit<Entry, Logged>({
    runBatch: (entries) =>
      onceEach(db, entries, async (trx, unanswered) => {
        const events = unanswered.flatMap((entry) => entry.events);
        const written = await priceAndInsert(trx, events, price);
        let next = 0;
        return unanswered.map(({ events }) => {
          const from = next;
          next += sizeOf(events);
          return Array.isArray(events) ? written.slice(from, next) : (written[from] as UsageEvent);
        });
      }),
    sizeOf: ({ events }) => sizeOf(events),
    limits: LIMITS,
  });
}

const sizeOf = (events: Event | Event[]): number => (Array.isArray(events) ? events.length : 1);

/** Prices and writes events; returns them as stored, in order. */
export async function priceAndInsert(db: Db, events: Event[], price: Price): Promise<UsageEvent[]> {
  const insert = async (priced: Event[], book: number | null) => {
    const amounts = await insertUsageEvents(db, priced, book);
    return amounts && priced.map((event, index) => ({ ...event, ...amounts[index] }) as UsageEvent);
  };
  return (await price(db, events, insert)) ?? [];
}
