import type { Database } from '../../db/database.ts';
import type { Db } from '../../db/tables.ts';
import type { Kind } from '../../work/kinds.ts';
import type { Work } from '../../work/work.ts';
import { recordReached, THRESHOLDS } from './store.ts';

/** The kind of work that reports thresholds, under the id of the user whose stored bytes have crossed one. */
export const QUOTA_THRESHOLD = 'quota_threshold';

/** A threshold, in percent, that a user has reached. */
export interface Reached {
  user_id: string;
  threshold: number;
  stored_bytes: number;
  stored_bytes_limit: number;
}

/** The way to tell users of them, which is built above quotas. */
interface QuotaEvents {
  /** Has an erasure of the user wait for the transaction, or the transaction find nobody to tell. */
  holdEndpoints(trx: Db, user_id: string): Promise<void>;
  enqueueQuotaThreshold(trx: Db, reached: Reached): Promise<void>;
}

interface Deps {
  db: Database['db'];
  work: Pick<Work, 'add' | 'withdraw'>;
  callbacks: QuotaEvents;
  limit: number | null;
}

/** Reports once that a user has reached a threshold of the quota, and again only after it has fallen below. */
export function createThresholds({ db, work, callbacks, limit }: Deps) {
  const kind: Kind = {
    run: async ({ key }) => {
      await db.transaction().execute((trx) => report(trx, key));
      return null;
    },
  };

  async function report(trx: Db, user_id: string): Promise<void> {
    // In the order in which an erasure deletes them.
    await callbacks.holdEndpoints(trx, user_id);
    const found = await recordReached(trx, user_id, limit);
    if (!found || limit === null) return;
    const { bytes: stored_bytes, before, after } = found;
    for (const threshold of THRESHOLDS)
      if (before < threshold && threshold <= after)
        await callbacks.enqueueQuotaThreshold(trx, { user_id, threshold, stored_bytes, stored_bytes_limit: limit });
  }

  return {
    kind,
    /** Asks for reports, in the transaction that adds up what these users have stored. */
    ask: (trx: Db, user_ids: string[]) =>
      work.add(
        trx,
        user_ids.map((key) => ({ kind: QUOTA_THRESHOLD, key })),
      ),
    withdraw: (trx: Db, user_id: string) => work.withdraw(trx, QUOTA_THRESHOLD, [user_id]),
  };
}
