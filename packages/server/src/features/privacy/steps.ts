import type { Database } from '../../db/database.ts';
import type { Db } from '../../db/tables.ts';
import type { Clock } from '../../lib/clock.ts';
import { AppError } from '../../lib/errors.ts';
import type { Actor } from '../../lib/principal.ts';
import type { Agents } from '../agents/agents.ts';
import type { Feature, Subject } from '../feature.ts';
import type { Numbers } from '../numbers/numbers.ts';
import type { Sessions } from '../sessions/sessions.ts';
import type { Usage } from '../usage/usage.ts';
import { finishErasure, lockErasure } from './store.ts';

export type Steps = ReturnType<typeof createSteps>;

/** Sessions erased in one transaction: calls of other users go on meanwhile. */
const SESSIONS_AT_ONCE = 200;

interface Deps {
  db: Database['db'];
  clock: Clock;
  agents: Agents;
  sessions: Sessions;
  numbers: Numbers;
  usage: Usage;
  /** Every feature, in the order in which each deletes what it has of the user. */
  features: () => Feature[];
}

/** Somebody else has finished the erasure: what has come of the user since is of a user anew. */
export const FINISHED = new Error('the erasure is finished');

/**
 * The steps of an erasure. Each finds its own work by the user's id, and takes the id away: it can be repeated from the
 * start. Each that changes rows is a transaction that holds the erasure's own row, and throws `FINISHED` when there is
 * nothing to be erased any more.
 */
export function createSteps({ db, clock, agents, sessions, numbers, usage, features }: Deps) {
  function step<T>({ pseudonym }: Subject, work: (trx: Db) => Promise<T>): Promise<T> {
    return db.transaction().execute(async (trx) => {
      const { finished_at } = await lockErasure(trx, pseudonym);
      if (finished_at) throw FINISHED;
      return work(trx);
    });
  }

  /** Ends the user's live sessions and frees its numbers, calling `going` before each. */
  async function release({ user_id }: Subject, actor: Actor, going: () => Promise<void>): Promise<void> {
    for (const status of ['CREATED', 'ACTIVE'] as const) {
      for (;;) {
        const { items } = await sessions.list({ user_id, status }, { limit: SESSIONS_AT_ONCE, after: null });
        if (items.length === 0) break;
        for (const session of items) {
          await going();
          await sessions.end(session, 'ended_by_user');
        }
      }
    }
    for (const agent of await agents.list(user_id)) {
      if (agent.phone_number === null) continue;
      await going();
      await numbers.release(agent.id, user_id, actor);
    }
  }

  /** Erases some sessions of the user, with all that hangs on them; false when there were none. */
  function eraseSessions(subject: Subject): Promise<boolean> {
    return step(subject, async (trx) => {
      const found = await sessions.lockSome(trx, subject.user_id, SESSIONS_AT_ONCE);
      const ids = found.map(({ id }) => id);
      const room_names = found.map(({ room_name }) => room_name);
      for (const { erase } of features()) await erase?.sessions?.(trx, { ids, room_names });
      await sessions.erase(trx, ids, subject.pseudonym);
      return ids.length > 0;
    });
  }

  /**
   * Puts the pseudonym under some of what the user has spent, in the ledger and in the reports; false when that was
   * all.
   */
  function pseudonymiseUsage(subject: Subject): Promise<boolean> {
    return step(subject, (trx) => usage.pseudonymiseSome(trx, subject.user_id, subject.pseudonym));
  }

  /** The last step; null when something has come meanwhile, and the steps before are to be done again. */
  function finish(subject: Subject): Promise<Date | null> {
    const { user_id, pseudonym } = subject;
    return step(subject, async (trx) => {
      // Calls, and assignments of numbers, lock their agent: none of them is half made now.
      const held = await agents.lockAll(trx, user_id);
      if (await numbers.isAnyAssigned(trx, held)) throw new AppError('number_busy');
      if (await sessions.hasAny(trx, user_id)) return null;
      await usage.pseudonymise(trx, user_id, pseudonym);
      await agents.erase(trx, user_id, pseudonym);
      for (const { erase } of features()) await erase?.user?.(trx, subject);
      const finished_at = clock.now();
      await finishErasure(trx, pseudonym, finished_at);
      return finished_at;
    });
  }

  return { release, eraseSessions, pseudonymiseUsage, finish };
}
