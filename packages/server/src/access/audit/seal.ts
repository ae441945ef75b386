import { randomBytes } from 'node:crypto';
import type { Database } from '../../db/database.ts';
import { type Batch, type Deleted, deletedOldest } from '../../db/retention-batches.ts';
import { newId } from '../../lib/ids.ts';
import { digestOf, hashOf } from './chain.ts';
import {
  deleteSealed,
  hasUnsealed,
  insertEntries,
  listSealed,
  lockChain,
  lockUnsealed,
  type Sealed,
  writeSeals,
} from './store.ts';

/** Entries per transaction. */
const BATCH = 500;
const TRIMMED = 'audit.trimmed';

/**
 * Adds new entries to the chain, each with the hash of the one before. Later than they are written, so that actions on
 * any replica do not wait for each other; the lock on the chain's row makes it one process at a time.
 */
export async function seal(db: Database['db']): Promise<void> {
  while (await hasUnsealed(db)) {
    const count = await db.transaction().execute(async (trx) => {
      const { last_seq, last_hash } = await lockChain(trx);
      const entries = await lockUnsealed(trx, BATCH);
      let last = { seq: last_seq, hash: last_hash };
      const sealed = entries.map((entry): Sealed => {
        const salt = randomBytes(16).toString('hex');
        const digest = digestOf(salt, entry);
        const seq = last.seq + 1;
        last = { seq, hash: hashOf(last.hash, seq, digest, entry) };
        return { id: entry.id, salt, digest, ...last };
      });
      await writeSeals(trx, sealed);
      return sealed.length;
    });
    if (count < BATCH) return;
  }
}

/** Deletes a batch of entries from the beginning of the chain, which then begins after them; an entry says so. */
export async function trim(db: Database['db'], now: Date, batch: Batch): Promise<Deleted> {
  return db.transaction().execute(async (trx) => {
    const { first_seq } = await lockChain(trx);
    const oldest = await listSealed(trx, first_seq, batch.limit);
    const young = oldest.findIndex(({ id }) => id >= batch.before);
    const old = young === -1 ? oldest : oldest.slice(0, young);
    const last = old.at(-1);
    if (!last) return { deleted: 0, next: null };
    await deleteSealed(trx, last.seq ?? 0, last.hash ?? '');
    const actor = { actor: 'retention', user_id: null, ip: null };
    const entry = { id: newId(), at: now, ...actor, action: TRIMMED, target: `audit_log/${last.seq}` };
    // Otherwise these entries alone would be reason for another one, forever.
    if (old.some(({ action }) => action !== TRIMMED))
      await insertEntries(trx, [{ ...entry, detail: `${old.length} entries` }]);
    return deletedOldest(old.length, batch);
  });
}
