import type { Database } from '../../db/database.ts';
import { analysedUsers, countWrongStats, lockStats, rebuildStats } from './values-store.ts';

/** Verifies the statistics of analyses against their values, and rebuilds them; both while calls are analysed. */
export function createAnalysisRollups(db: Database['db']) {
  /** The users whose statistics differ from the values, each as `user analyses`. */
  async function verify(): Promise<string[]> {
    const wrong: string[] = [];
    for await (const user of analysedUsers(db))
      if ((await countWrongStats(db, user)) > 0) wrong.push(`${user} analyses`);
    return wrong;
  }

  /** One user at a time; analyses that end wait for that long. */
  async function rebuild(): Promise<void> {
    for await (const user of analysedUsers(db))
      await db.transaction().execute(async (trx) => {
        await lockStats(trx);
        await rebuildStats(trx, user);
      });
  }

  return { verify, rebuild };
}
