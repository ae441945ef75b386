import type { Database } from '../db/database.ts';
import {
  countUsers,
  countWrong,
  countWrongAgents,
  daysOf,
  lockRollups,
  nextUser,
  rebuildAgents,
  rebuildDay,
} from './rollup-store.ts';

/** Told after each user: how many have been looked at, of about how many. */
type Progress = (done: number, total: number) => void;

/** Rollups that are not the sum of their events, as `user day`, or `user agents` for the count of sessions. */
export interface Verdict {
  users: number;
  days: number;
  wrong: string[];
}

/** Compares the rollups with the ledger, and makes them anew from it; both while events come in. */
export function createRollups(db: Database['db']) {
  /** Looks at each day of each user in one statement, and so in one snapshot: to the last digit. */
  async function verify(progress: Progress): Promise<Verdict> {
    const verdict: Verdict = { users: 0, days: 0, wrong: [] };
    await eachUser(progress, async (user_id) => {
      for (const day of await daysOf(db, user_id)) {
        if ((await countWrong(db, user_id, day)) > 0) verdict.wrong.push(`${user_id} ${day}`);
        verdict.days += 1;
      }
      if ((await countWrongAgents(db, user_id)) > 0) verdict.wrong.push(`${user_id} agents`);
      verdict.users += 1;
    });
    return verdict;
  }

  /** A day of a user at a time; events wait for that long, reports for nothing. */
  async function rebuild(progress: Progress): Promise<void> {
    await eachUser(progress, async (user_id) => {
      for (const day of await daysOf(db, user_id)) {
        await db.transaction().execute(async (trx) => {
          await lockRollups(trx);
          await rebuildDay(trx, user_id, day);
        });
      }
      await db.transaction().execute(async (trx) => {
        await lockRollups(trx);
        await rebuildAgents(trx, user_id);
      });
    });
  }

  async function eachUser(progress: Progress, work: (user_id: string) => Promise<void>): Promise<void> {
    const total = await countUsers(db);
    let done = 0;
    for (let user = await nextUser(db, ''); user !== null; user = await nextUser(db, user)) {
      await work(user);
      done += 1;
      progress(done, Math.max(total, done));
    }
  }

  return { verify, rebuild };
}
