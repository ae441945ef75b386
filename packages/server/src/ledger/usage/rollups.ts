import type { Database } from '../../db/database.ts';
import type { Db } from '../../db/tables.ts';
import {
  countDays,
  countWrong,
  countWrongAgents,
  daysOf,
  deleteUnseen,
  firstDay,
  lockRollups,
  rebuildDay,
  recountSessions,
  type Seen,
  usersInLedger,
} from './rollup-store.ts';

/** Reports progress after each day of a user: days checked, and their estimated total. */
type Progress = (done: number, total: number) => void;

/** Wrong rollups, as `user day`, or `user agents` for the sessions of its agents. */
export interface RollupCheck {
  users: number;
  days: number;
  wrong: string[];
}

const SESSIONS_AT_ONCE = 2_000;

/**
 * Verifies the rollups against the ledger, and rebuilds them from it; both while events arrive. Figures of detached
 * months are kept.
 */
export function createRollups(db: Database['db']) {
  /** Checks each day of each user in one statement, and therefore in one snapshot, to the last digit. */
  async function verify(progress: Progress): Promise<RollupCheck> {
    const check: RollupCheck = { users: 0, days: 0, wrong: [] };
    await eachUser(progress, {
      day: async (user_id, day) => {
        if ((await countWrong(db, user_id, day)) > 0) check.wrong.push(`${user_id} ${day}`);
        check.days += 1;
      },
      end: async (user_id, isWhole) => {
        if ((await countWrongAgents(db, user_id, isWhole)) > 0) check.wrong.push(`${user_id} agents`);
        check.users += 1;
      },
    });
    return check;
  }

  /** One day of a user, or some of its sessions, at a time; events wait that long, reports do not. */
  async function rebuild(progress: Progress): Promise<void> {
    await eachUser(progress, {
      day: (user_id, day) => locked((trx) => rebuildDay(trx, user_id, day)),
      end: async (user_id, isWhole) => {
        let after: Seen | null = isWhole ? { agent_id: '', session_id: '' } : null;
        while (after) {
          const from: Seen = after;
          after = await locked((trx) => deleteUnseen(trx, user_id, from, SESSIONS_AT_ONCE));
        }
        await locked((trx) => recountSessions(trx, user_id));
      },
    });
  }

  function locked<T>(work: (trx: Db) => Promise<T>): Promise<T> {
    return db.transaction().execute(async (trx) => {
      await lockRollups(trx);
      return work(trx);
    });
  }

  async function eachUser(
    progress: Progress,
    work: {
      day(user_id: string, day: string): Promise<void>;
      end(user_id: string, isWhole: boolean): Promise<void>;
    },
  ): Promise<void> {
    const first = await firstDay(db);
    const total = await countDays(db);
    let done = 0;
    for await (const user of usersInLedger(db)) {
      for (const day of await daysOf(db, user, first)) {
        await work.day(user, day);
        done += 1;
        progress(done, Math.max(total, done + 1));
      }
      await work.end(user, first === null);
    }
    progress(Math.max(total, done), Math.max(total, done));
  }

  return { verify, rebuild };
}
