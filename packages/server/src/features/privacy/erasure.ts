import type { Database } from '../../db/database.ts';
import { dropLease, takeLease } from '../../db/lease.ts';
import type { Clock } from '../../lib/clock.ts';
import { AppError } from '../../lib/errors.ts';
import { throwAll } from '../../lib/failure-log.ts';
import { newId } from '../../lib/ids.ts';
import type { Actor } from '../../lib/principal.ts';
import type { Agents } from '../agents/agents.ts';
import type { Audit } from '../audit/audit.ts';
import type { Subject } from '../feature.ts';
import { FINISHED, type Steps } from './steps.ts';
import { type Erasure, findErasure, finishedAt, insertErasure, listUnfinished } from './store.ts';

export type Erasures = ReturnType<typeof createErasures>;

/** Limits the rounds for a user who keeps opening sessions. */
const ROUNDS = 5;
/** Lease duration: longer than any step, after which another process may take over. */
const LEASE_MS = 60_000;
/** How long a request waits for an erasure that another process runs, and how often it checks. */
const PATIENCE_MS = 60_000;
const LOOK_EVERY_MS = 100;
const REPAIR: Actor = { actor: 'repair', user_id: null, ip: null };

/** Another process runs the erasure now. */
const TAKEN = new Error('the erasure is carried out elsewhere');

interface Deps {
  db: Database['db'];
  clock: Clock;
  audit: Audit;
  agents: Agents;
  steps: Steps;
}

/**
 * Erases users: deletes personal data and keeps costs under an unlinkable pseudonym. One erasure of a user at a time,
 * over all replicas.
 */
export function createErasures({ db, clock, audit, agents, steps }: Deps) {
  /**
   * Ends the user's calls, releases its numbers, and erases it. Recorded first, so that `resume` continues an erasure
   * that is interrupted by a crash or by a failing provider (whose error this throws). A repeated request waits for
   * the same erasure, or throws `erasure_in_progress` after a minute.
   */
  async function erase(user_id: string, actor: Actor): Promise<{ pseudonym: string; erased_at: Date }> {
    const { pseudonym } = await begin(user_id, actor);
    for (const begun = clock.now().getTime(); ; await clock.sleep(LOOK_EVERY_MS)) {
      const erased_at = (await finishedAt(db, pseudonym)) ?? (await carryOut({ user_id, pseudonym }, actor));
      if (erased_at) return { pseudonym, erased_at };
      if (clock.now().getTime() - begun > PATIENCE_MS) throw new AppError('erasure_in_progress');
    }
  }

  async function begin(user_id: string, actor: Actor): Promise<Erasure> {
    const pseudonym = `erased-${newId()}`;
    const begun = await db.transaction().execute(async (trx) => {
      // Locks the erasure's own row first, like every step: of two requests one waits here.
      const inserted = await insertErasure(trx, { pseudonym, user_id, requested_at: clock.now() });
      if (!inserted) return undefined;
      await agents.lockAll(trx, user_id);
      await agents.stop(trx, user_id);
      await audit.record(trx, actor, 'user.erased', `user/${pseudonym}`);
      return inserted;
    });
    return begun ?? (await findErasure(db, user_id)) ?? begin(user_id, actor);
  }

  /** Runs the erasure to its end and returns when that was; null if another process runs or ran it. */
  async function carryOut(subject: Subject, actor: Actor): Promise<Date | null> {
    const lease = `erasure/${subject.pseudonym}`;
    const holder = newId();
    const going = async () => {
      if (!(await takeLease(db, lease, holder, LEASE_MS))) throw TAKEN;
      // Another process may have finished while this one was held up, and dropped the lease.
      if (await finishedAt(db, subject.pseudonym)) throw FINISHED;
    };
    try {
      return await carry(subject, actor, going);
    } catch (error) {
      if (error === TAKEN || error === FINISHED) return null;
      throw error;
    } finally {
      // A lease that cannot be released expires.
      await dropLease(db, lease, holder).catch(() => {});
    }
  }

  async function carry(subject: Subject, actor: Actor, going: () => Promise<void>): Promise<Date> {
    for (let round = 0; round < ROUNDS; round++) {
      await going();
      await steps.release(subject, actor, going);
      for (let isMore = true; isMore; isMore = await steps.eraseSessions(subject)) await going();
      for (let isMore = true; isMore; isMore = await steps.pseudonymiseUsage(subject)) await going();
      const finished_at = await steps.finish(subject);
      if (finished_at) return finished_at;
    }
    throw new AppError('user_active');
  }

  /** Resumes interrupted erasures. Throws the failures after all were tried; each may repeat with every round. */
  async function resume(): Promise<void> {
    const failures: unknown[] = [];
    for (const { user_id, pseudonym } of await listUnfinished(db)) {
      if (user_id === null) continue;
      await carryOut({ user_id, pseudonym }, REPAIR).catch((cause: unknown) =>
        failures.push(new Error(`erasure ${pseudonym}`, { cause })),
      );
    }
    throwAll(failures);
  }

  return { erase, resume };
}
