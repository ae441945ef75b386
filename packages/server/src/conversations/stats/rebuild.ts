import type { Database } from '../../db/database.ts';
import { callers, countWrongCalls, lockCallRollups, rebuildCalls } from './store.ts';

/** Verifies the statistics of calls against the sessions, and rebuilds them; both while calls continue to end. */
export function createCallRollups(db: Database['db']) {
  /** The users whose statistics differ from their sessions, each as `user calls`. */
  async function verify(): Promise<string[]> {
    const wrong: string[] = [];
    for await (const user of callers(db)) if ((await countWrongCalls(db, user)) > 0) wrong.push(`${user} calls`);
    return wrong;
  }

  /** One user at a time; calls that end wait for that long. */
  async function rebuild(): Promise<void> {
    for await (const user of callers(db))
      await db.transaction().execute(async (trx) => {
        await lockCallRollups(trx);
        await rebuildCalls(trx, user);
      });
  }

  return { verify, rebuild };
}
