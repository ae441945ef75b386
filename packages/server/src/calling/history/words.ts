import type { Content } from '../../access/data-keys/content.ts';
import type { Database } from '../../db/database.ts';
import { type FindHash, lockProgress, writeNewWords, writeOldWords } from './words-store.ts';

/** Backfill batches per round: an upgrade must not saturate the database. */
const OLD_BATCHES = 20;

/**
 * Indexes the words of transcripts for the search, in the background: those committed since the last round, by any
 * process, and after an upgrade the older ones. One process at a time; the others skip the round.
 */
export function createWords({ db, content }: { db: Database['db']; content: Content }) {
  const findHash: FindHash = content.canOpen ? (trx) => content.hasher(trx, true) : null;

  async function round(): Promise<void> {
    while (await writeSome());
    for (let batch = 0; batch < OLD_BATCHES && (await writeSomeOld()); batch++);
  }

  function writeSome(): Promise<boolean> {
    return db.transaction().execute(async (trx) => {
      const progress = await lockProgress(trx, 'skip');
      return progress !== null && writeNewWords(trx, progress, findHash);
    });
  }

  function writeSomeOld(): Promise<boolean> {
    return db.transaction().execute(async (trx) => {
      const progress = await lockProgress(trx, 'skip');
      return progress?.backfill ? writeOldWords(trx, progress.backfill, findHash) : false;
    });
  }

  return { round };
}
