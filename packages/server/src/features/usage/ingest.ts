import type { Database } from '../../db/database.ts';
import { createGroupCommit } from '../../db/group-commit.ts';
import type { Db } from '../../db/tables.ts';
import { onceEach, type Repeatable } from '../idempotency/idempotency.ts';
import { insertUsageEvents, type NewUsageEvent, type UsageEvent } from './store.ts';

/** Rows of one statement, and events that may wait for theirs: some seconds of what a database takes. */
const LIMITS = { batch_size: 1000, queue_depth: 10_000 };
/** Events of a request that share a commit. Larger requests are worth one, and would make the others wait. */
export const MAX_SHARED = 100;

/** An event with all that is not its amounts as it will be answered. */
type Event = NewUsageEvent & Omit<UsageEvent, 'quantity' | 'unit_cost' | 'total_cost' | 'is_unpriced'>;

/** A request with one event, or with a list of them, which is answered by a list. */
interface Entry extends Repeatable {
  events: Event | Event[];
}

/** Events in the ledger, and whether they were put there by this request or an earlier one with its key. */
export interface Logged {
  answer: UsageEvent | UsageEvent[];
  first: boolean;
}

/** Gives events their prices, and has them written: as `Deps.price` of usage.ts. */
export type Price = <E extends NewUsageEvent, R>(
  db: Db,
  events: E[],
  insert: (events: E[], book: number | null) => Promise<R | null>,
) => Promise<R | null>;

/** Commits events that come at the same time together: a commit costs a write to the disk, however many rows it has. */
export function createIngest(db: Database['db'], price: Price) {
  return createGroupCommit<Entry, Logged>({
    runBatch: (entries) =>
      onceEach(db, entries, async (trx, unanswered) => {
        const written = await priceAndInsert(
          trx,
          unanswered.flatMap(({ events }) => events),
          price,
        );
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

/** Writes events with their prices, and gives them as they are in the database, in their order. */
export async function priceAndInsert(db: Db, events: Event[], price: Price): Promise<UsageEvent[]> {
  return (await price(db, events, (priced, book) => insertPriced(db, priced, book))) ?? [];
}

/**
 * Writes events in one statement and gives them as they are in the database, in their order; null when the price book
 * has another version than `book`, so that nothing was written.
 */
export async function insertPriced(db: Db, events: Event[], book: number | null): Promise<UsageEvent[] | null> {
  const amounts = await insertUsageEvents(db, events, book);
  if (amounts.size === 0) return null;
  return events.map((event) => ({ ...event, ...amounts.get(event.id) }) as UsageEvent);
}
