import type { Database } from '../../db/database.ts';
import { lockProgress, writeNewWords, writeOldWords } from './words-store.ts';

/** Batches of old sessions in one round: an upgrade must not keep a database busy. */
const OLD_BATCHES = 20;

/**
 * Writes the words of transcripts for the search, in the background: of new ones those committed since the last round,
 * in whichever process, and after an upgrade those of before. One process at a time does so; the others go on.
 */
export function createWords({ db }: { db: Database['db'] }) {
  async function round(): Promise<void> {
    while (await writeSome());
    for (let batch = 0; batch < OLD_BATCHES && (await writeSomeOld()); batch++);
  }

  function writeSome(): Promise<boolean> {
    return db.transaction().execute(async (trx) => {
      const progress = await lockProgress(trx, 'skip');
      return progress !== null && writeNewWords(trx, progress);
    });
  }

  function writeSomeOld(): Promise<boolean> {
    return db.transaction().execute(async (trx) => {
      const progress = await lockProgress(trx, 'skip');
      return progress?.backfill ? writeOldWords(trx, progress.backfill) : false;
    });
  }

  return { round };
}
