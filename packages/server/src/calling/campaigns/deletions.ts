import { shareHolds } from '../../db/legal-holds.ts';
import { type Batch, type Deleted, deletedOldest } from '../../db/retention-batches.ts';
import type { Db } from '../../db/tables.ts';
import type { Step } from '../../feature.ts';
import type { Platform } from '../../platform.ts';
import { deleteSomeRecipients } from './recipients-store.ts';
import { campaignsOf, deleteCampaigns, lockAllOf, markDeleted, markOlder } from './store.ts';

/** Recipients per transaction. */
const PART = 2_000;

/** Deletes campaigns with what belongs to them: old ones, and those of users who are erased. */
export function createDeletions({ db, clock }: Pick<Platform, 'db' | 'clock'>) {
  /** Ends the campaigns of a user, and deletes their recipients in parts; the rest is left to `erase`. */
  async function eraseMost(user_id: string, step: Step): Promise<void> {
    await step((trx) => markDeleted(trx, user_id, clock.now()));
    for (const id of await campaignsOf(db, user_id))
      while ((await step((trx) => deleteSomeRecipients(trx, id, PART))) > 0);
  }

  async function erase(trx: Db, user_id: string): Promise<void> {
    const ids = await lockAllOf(trx, user_id);
    for (const id of ids) while ((await deleteSomeRecipients(trx, id, PART)) > 0);
    await deleteCampaigns(trx, ids);
  }

  return {
    eraseMost,
    erase,
    /** Has a batch of old campaigns deleted. */
    deleteOlder: (batch: Batch): Promise<Deleted> =>
      db.transaction().execute(async (trx) => {
        await shareHolds(trx);
        return deletedOldest(await markOlder(trx, batch, clock.now()), batch);
      }),
  };
}
