import { shareHolds } from '../../db/legal-holds.ts';
import { type Batch, type Deleted, deletedOldest } from '../../db/retention-batches.ts';
import type { Db } from '../../db/tables.ts';
import type { Platform } from '../../platform.ts';
import { deleteSomeRecipients } from './recipients-store.ts';
import { deleteCampaigns, lockAllOf, markDeleted, markOlder } from './store.ts';

/** Recipients per transaction. */
const PART = 2_000;

/** Deletes campaigns with what belongs to them: old ones, and those of users who are erased. */
export function createDeletions({ db, clock }: Pick<Platform, 'db' | 'clock'>) {
  /** Ends a user's campaigns, and deletes some recipients, or campaigns without; whether there may be more. */
  async function erasePart(trx: Db, user_id: string): Promise<boolean> {
    const ids = await lockAllOf(trx, user_id);
    await markDeleted(trx, user_id, clock.now());
    for (const id of ids) {
      if ((await deleteSomeRecipients(trx, id, PART)) > 0) return true;
      await deleteCampaigns(trx, [id]);
    }
    return false;
  }

  return {
    erasePart,
    /** Has a batch of old campaigns deleted. */
    deleteOlder: (batch: Batch): Promise<Deleted> =>
      db.transaction().execute(async (trx) => {
        await shareHolds(trx);
        return deletedOldest(await markOlder(trx, batch, clock.now()), batch);
      }),
  };
}
