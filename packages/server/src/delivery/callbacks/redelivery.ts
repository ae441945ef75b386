import type { Static } from 'typebox';
import type { Database } from '../../db/database.ts';
import type { Db } from '../../db/tables.ts';
import type { Clock } from '../../lib/clock.ts';
import { isId } from '../../lib/ids.ts';
import { InvalidFields } from '../../lib/invalid.ts';
import { MAX_REDELIVERED, type Redelivered, type Redelivery } from './redelivery-schema.ts';
import { lockCallbacks, lockFailed, reactivateAddresses, sendAgain } from './redelivery-store.ts';
import type { ShownCallback } from './store.ts';

type Again = Awaited<ReturnType<typeof lockFailed>>;

/**
 * Redelivers callbacks with their ids and bodies: those in `ids`, or up to a thousand failed ones. A repeated request
 * for failed ones finds only those that failed again or exceeded the limit. Those of an endpoint go to its present
 * address, and to none if it is deleted or inactive. Reactivates their addresses. Throws `InvalidFields`.
 */
export function createRedelivery({ db, clock }: { db: Database['db']; clock: Clock }) {
  return async ({ ids, failed_since }: Static<typeof Redelivery>, caller: string | null) => {
    if ((ids === undefined) === (failed_since === undefined)) {
      const msg = 'Input should have either ids or failed_since';
      throw new InvalidFields({ field: ids === undefined ? 'ids' : 'failed_since', msg, type: 'value_error' });
    }
    return db.transaction().execute(async (trx): Promise<Static<typeof Redelivered>> => {
      if (ids !== undefined) {
        const found = await lockCallbacks(trx, caller, ids.filter(isId));
        const known = new Set(found.map(({ id }) => id));
        const not_found = [...new Set(ids)].filter((id) => !known.has(id.toLowerCase()));
        const { length } = await redeliver(trx, found, clock.now());
        return { redelivered: length, not_found, has_more: false };
      }
      const found = await lockFailed(trx, caller, new Date(failed_since ?? ''), MAX_REDELIVERED + 1);
      const has_more = found.length > MAX_REDELIVERED;
      const { length } = await redeliver(trx, found.slice(0, MAX_REDELIVERED), clock.now());
      return { redelivered: length, not_found: [], has_more };
    });
  };
}

/** Sends locked callbacks again, and reactivates their addresses. */
export async function redeliver(trx: Db, callbacks: Again, now: Date): Promise<ShownCallback[]> {
  if (callbacks.length === 0) return [];
  await reactivateAddresses(trx, callbacks);
  return sendAgain(trx, callbacks, now);
}
