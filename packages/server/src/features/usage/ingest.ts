import type { Database } from '../../db/database.ts';
import { createGroupCommit } from '../../db/group-commit.ts';
import type { Db } from '../../db/tables.ts';
import { onceEach, type Repeatable } from '../idempotency/idempotency.ts';
import { insertUsageEvents, type NewUsageEvent, type UsageEvent } from './store.ts';

/** Rows of one statement, and events that may wait for theirs: some seconds of what a database takes. */
const LIMITS = { batch_size: 1000, queue_depth: 10_000 };

/** An event with all that is not its amounts as it will be answered. */
type Event = NewUsageEvent & Omit<UsageEvent, 'quantity' | 'unit_cost' | 'total_cost' | 'is_unpriced'>;

interface Entry extends Repeatable {
  event: Event;
}

/** An event in the ledger, and whether it was put there by this request or an earlier one with its key. */
export interface Logged {
  answer: UsageEvent;
  first: boolean;
}

/** Commits events that come at the same time together: a commit costs a write to the disk, however many rows it has. */
export function createIngest(db: Database['db']) {
  return createGroupCommit<Entry, Logged>({
    runBatch: (entries) =>
      onceEach(db, entries, (trx, unanswered) =>
        insertInOrder(
          trx,
          unanswered.map(({ event }) => event),
        ),
      ),
    limits: LIMITS,
  });
}

/** Writes events in one statement and gives them as they are in the database, in their order. */
export async function insertInOrder(db: Db, events: Event[]): Promise<UsageEvent[]> {
  return (await insertPriced(db, events, null)) ?? [];
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
