import type { Database } from '../../db/database.ts';
import { countWrongStats, lockStats, nextAnalysed, rebuildStats } from './values-store.ts';

/** Verifies the statistics of analyses against their values, and rebuilds them; both while calls are analysed. */
export function createAnalysisRollups(db: Database['db']) {
  /** The users whose statistics differ from the values, each as `user analyses`. */
  async function verify(): Promise<string[]> {
    const wrong: string[] = [];
    for await (const user of users()) if ((await countWrongStats(db, user)) > 0) wrong.push(`${user} analyses`);
    return wrong;
  }

  /** One user at a time; analyses that end wait for that long. */
  async function rebuild(): Promise<void> {
    for await (const user of users())
      await db.transaction().execute(async (trx) => {
        await lockStats(trx);
        await rebuildStats(trx, user);
      });
  }

  async function* users(): AsyncGenerator<string> {
    for (let user = await nextAnalysed(db, ''); user !== null; user = await nextAnalysed(db, user)) yield user;
  }

  return { verify, rebuild };
}
