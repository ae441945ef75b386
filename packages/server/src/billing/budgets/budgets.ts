import type { Static } from 'typebox';
import type { Sessions } from '../../conversations/sessions/sessions.ts';
import type { Db } from '../../db/tables.ts';
import type { Callbacks } from '../../delivery/callbacks/callbacks.ts';
import { AppError } from '../../lib/errors.ts';
import { throwAll } from '../../lib/failure-log.ts';
import { InvalidFields } from '../../lib/invalid.ts';
import type { Actor } from '../../lib/principal.ts';
import type { Platform } from '../../platform.ts';
import type { BudgetPut } from './schema.ts';
import {
  type Budget,
  deleteBudget,
  dueBudgets,
  findBudget,
  lockBudget,
  lockDueBudget,
  type Month,
  putBudget,
  recordThresholds,
} from './store.ts';

export type Budgets = ReturnType<typeof createBudgets>;

/** Budgets per statement of a round. */
const PAGE_SIZE = 200;
/** Calls of a user per query. */
const CALLS_PAGE_SIZE = 100;

const NEGATIVE = {
  msg: 'Input should be greater than or equal to 0',
  type: 'greater_than_equal',
};

interface Deps extends Pick<Platform, 'db' | 'clock' | 'audit'> {
  callbacks: Callbacks;
  sessions: Sessions;
  /** The maximum duration of calls without one of their own, in seconds. */
  max_duration_s: number;
}

/** Monthly budgets of users. Placing a call checks them in `outbound/limits.ts`. */
export function createBudgets({ db, clock, audit, callbacks, sessions, max_duration_s }: Deps) {
  /** Throws `not_found` for a user without a budget, or another user than the caller. */
  async function get(user_id: string, caller: string | null): Promise<Budget> {
    const budget =
      caller === null || caller === user_id
        ? await findBudget(db, user_id, { now: clock.now(), max_duration_s })
        : undefined;
    if (!budget) throw new AppError('not_found');
    return budget;
  }

  /** Creates or replaces the budget of a user. */
  async function put(user_id: string, input: Static<typeof BudgetPut>, actor: Actor): Promise<Budget> {
    const { monthly_limit, thresholds = [], refuse_calls = false, end_calls = false } = input;
    const { count_tests = false, cost_per_minute = null, expected_minutes = null } = input;
    for (const [field, amount] of Object.entries({ monthly_limit, cost_per_minute }))
      if (amount !== null && /^-.*[1-9]/.test(amount)) throw new InvalidFields({ field, ...NEGATIVE });
    await db.transaction().execute(async (trx) => {
      const sorted = [...new Set(thresholds)].sort((one, other) => one - other);
      const now = clock.now();
      const before = await lockBudget(trx, user_id);
      // By what applied then: a round would report it by the new ones.
      if (isFirst(now)) await reportIn(trx, user_id, monthBefore(now));
      const effects = { refuse_calls, end_calls, count_tests, cost_per_minute, expected_minutes };
      const after = { monthly_limit, thresholds: sorted, ...effects };
      await putBudget(trx, { user_id, ...after, updated_at: now });
      const written = await lockBudget(trx, user_id);
      await audit.record(trx, actor, 'budget.changed', 'budget', { user_id, before, after: written });
    });
    return get(user_id, null);
  }

  /**
   * Reports thresholds that were reached, and ends the calls of users whose budget is spent. Costs of a month's last
   * seconds, or while no process ran, are found for a day after the month.
   */
  async function round(): Promise<void> {
    const now = clock.now();
    await lookAt({ at: now, hasEnded: false });
    if (isFirst(now)) await lookAt(monthBefore(now));
  }

  /** Goes on after a user for whom it fails; then throws what failed. */
  async function lookAt(month: Month): Promise<void> {
    const failures: unknown[] = [];
    for (let after: string | undefined = ''; after !== undefined; ) {
      const due = await dueBudgets(db, month, after, PAGE_SIZE);
      for (const { user_id } of due) await lookAtUser(user_id, month).catch((error) => failures.push(error));
      after = due.length < PAGE_SIZE ? undefined : due.at(-1)?.user_id;
    }
    throwAll(failures);
  }

  async function lookAtUser(user_id: string, month: Month): Promise<void> {
    if (await report(user_id, month)) await endCalls(user_id);
  }

  /**
   * Queues an event for each threshold and records it in the same transaction, so that a crash cannot separate the
   * two. Locks and reads the budget again: the limit may have been raised, or another month begun. Returns whether
   * calls in progress must end.
   */
  function report(user_id: string, of: Month): Promise<boolean> {
    return db.transaction().execute((trx) => reportIn(trx, user_id, of));
  }

  async function reportIn(trx: Db, user_id: string, of: Month): Promise<boolean> {
    const budget = await lockDueBudget(trx, user_id, of);
    if (!budget) return false;
    const { monthly_limit, spent, due, is_over } = budget;
    const month = of.at.toISOString().slice(0, 7);
    for (const threshold of await recordThresholds(trx, user_id, due, of.at)) {
      const reached = { user_id, month, threshold, monthly_limit, spent };
      await callbacks.enqueueForUser(trx, 'budget.threshold', { user_id }, reached);
    }
    return is_over;
  }

  /** Ends calls and chats. An answer that a worker is giving in a chat is still kept. */
  async function endCalls(user_id: string): Promise<void> {
    for (let after: string | null = null; ; ) {
      const open = await sessions.listOpenOf(user_id, { limit: CALLS_PAGE_SIZE, after });
      for (const one of open) await sessions.end(one, 'budget_exceeded');
      after = open.at(-1)?.id ?? null;
      if (open.length < CALLS_PAGE_SIZE) return;
    }
  }

  return { get, put, round, erase: deleteBudget };
}

/** Whether it is the first day of a month, UTC. */
const isFirst = (now: Date): boolean => now.getUTCDate() === 1;

/** The previous month, UTC. */
function monthBefore(now: Date): Month {
  return { at: new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth()) - 1), hasEnded: true };
}
