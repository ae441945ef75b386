import type { Db } from '../../db/tables.ts';
import type { Callbacks } from '../../delivery/callbacks/callbacks.ts';
import { MAX_EVENTS } from './schema.ts';
import type { SuppressionRow } from './store.ts';
import { view } from './view.ts';

/** Queues events of numbers that were suppressed, in the transaction of the change: one each, or one for very many. */
export function createSuppressionEvents(callbacks: Pick<Callbacks, 'enqueueEachForUser'>) {
  return async (trx: Db, user_id: string, added: SuppressionRow[]): Promise<void> => {
    const [first] = added;
    if (!first) return;
    const all =
      added.length > MAX_EVENTS
        ? [{ user_id, count: added.length, suppression: null, cursor: before(first) }]
        : added.map((row) => ({ user_id, count: 1, suppression: view(row), cursor: before(row) }));
    await callbacks.enqueueEachForUser(trx, 'suppression.added', { user_id }, all);
  };
}

/** The cursor of the list of changes behind which this one is the next. */
const before = ({ change }: SuppressionRow) => String(BigInt(change) - 1n);
