import { type Selectable, sql } from 'kysely';
import { meanBy, monthOf, reservedBy, spentBy } from '../../db/reserves.ts';
import type { Db, Tables } from '../../db/tables.ts';

export type NewBudget = Selectable<Tables['budgets']>;
/** A budget with its month (`YYYY-MM`), the month's costs, what open calls may still cost, and the thresholds that were
 * reported. */
export type Budget = NewBudget & { month: string; spent: string; reserved: string; reached: number[] };

/** `max_duration_s` is that of calls without one of their own. */
export async function findBudget(
  db: Db,
  user_id: string,
  { now, max_duration_s }: { now: Date; max_duration_s: number },
): Promise<Budget | undefined> {
  const { rows } = await sql<Budget>`
    select user_id, trim_scale(monthly_limit) as monthly_limit, thresholds, refuse_calls, end_calls, count_tests,
      trim_scale(cost_per_minute) as cost_per_minute, expected_minutes, updated_at, spent,
      trim_scale(reserved) as reserved,
      ${now.toISOString().slice(0, 7)} as month,
      array(
        select percent from budget_thresholds as known
        where known.user_id = budget.user_id and known.month = ${monthOf(now)} order by percent
      ) as reached
    from budgets as budget
    cross join lateral (${spentBy(now)}) as costs
    cross join lateral (${meanBy(now)}) as calls
    cross join lateral (${reservedBy(max_duration_s)}) as open_calls
    where user_id = ${user_id}`.execute(db);
  return rows[0];
}

/** The settings of a user's budget, locked until the transaction ends. */
export async function lockBudget(trx: Db, user_id: string) {
  const { rows } = await sql<Omit<NewBudget, 'user_id' | 'updated_at'>>`
    select trim_scale(monthly_limit)::text as monthly_limit, thresholds, refuse_calls, end_calls, count_tests,
      trim_scale(cost_per_minute)::text as cost_per_minute, expected_minutes
    from budgets where user_id = ${user_id} for update`.execute(trx);
  return rows[0] ?? null;
}

/** Upserts a budget. */
export async function putBudget(db: Db, budget: NewBudget): Promise<void> {
  const { user_id, ...rest } = budget;
  await db
    .insertInto('budgets')
    .values(budget)
    .onConflict((conflict) => conflict.column('user_id').doUpdateSet(rest))
    .execute();
}

/** A budget that requires action. */
export interface DueBudget {
  user_id: string;
  monthly_limit: string;
  spent: string;
  /** Percentages that were reached but not yet reported this month. */
  due: number[];
  /** Whether the user's calls must be ended. */
  is_over: boolean;
}

/** The month of a moment, UTC. A past month has no calls to end, and excludes budgets set since. */
export interface Month {
  at: Date;
  hasEnded: boolean;
}

/** Up to `limit` budgets that require action, in the order of their users, after a user. */
export async function dueBudgets(db: Db, month: Month, after: string, limit: number): Promise<DueBudget[]> {
  const { rows } = await sql<DueBudget>`${due(month)} and user_id > ${after} order by user_id limit ${limit}`.execute(
    db,
  );
  return rows;
}

/** Locks the budget of a user until the transaction ends, and reads the actions it requires; undefined if none. */
export async function lockDueBudget(trx: Db, user_id: string, month: Month): Promise<DueBudget | undefined> {
  // A separate statement, so that it sees what was committed while the lock was awaited.
  await trx.selectFrom('budgets').select('user_id').where('user_id', '=', user_id).forUpdate().execute();
  return (await sql<DueBudget>`${due(month)} and user_id = ${user_id}`.execute(trx)).rows[0];
}

const due = ({ at, hasEnded }: Month) => sql`
    select user_id, trim_scale(monthly_limit) as monthly_limit, spent, due, ${isOver(hasEnded)} as is_over
    from budgets as budget
    cross join lateral (${spentBy(at)}) as costs
    cross join lateral (
      select array(
        select percent from unnest(thresholds) as threshold (percent)
        where spent * 100 >= monthly_limit * percent and not exists (
          select from budget_thresholds as known
          where known.user_id = budget.user_id and known.month = ${monthOf(at)} and known.percent = threshold.percent
        ) order by percent
      ) as due
    ) as reached
    where monthly_limit is not null and (cardinality(due) > 0 or ${isOver(hasEnded)})
      and ${hasEnded ? sql`updated_at < (${monthOf(at)} + interval '1 month') at time zone 'UTC'` : sql`true`}`;

const isOver = (hasEnded: boolean) => (hasEnded ? sql`false` : sql`(end_calls and spent >= monthly_limit)`);

/** Records that thresholds were reached; returns the new ones. */
export async function recordThresholds(trx: Db, user_id: string, percents: number[], now: Date): Promise<number[]> {
  const { rows } = await sql<{ percent: number }>`
    insert into budget_thresholds (user_id, month, percent, reached_at)
    select user_id, ${monthOf(now)}, percent, ${now.toISOString()}::timestamptz(3)
    from budgets cross join unnest(${percents}::integer[]) as percent
    where user_id = ${user_id} order by percent
    on conflict do nothing returning percent`.execute(trx);
  return rows.map(({ percent }) => percent).sort((one, other) => one - other);
}

export async function deleteBudget(db: Db, user_id: string): Promise<void> {
  await db.deleteFrom('budget_thresholds').where('user_id', '=', user_id).execute();
  await db.deleteFrom('budgets').where('user_id', '=', user_id).execute();
}
