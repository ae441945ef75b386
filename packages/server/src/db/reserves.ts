import { type RawBuilder, sql } from 'kysely';
import type { Db } from './tables.ts';

/** Ended calls from which the mean cost of a call is estimated; with fewer it is unknown. */
const CALLS_FOR_MEAN = 20;
/** Months before this one whose calls are asked in turn, from the first to the last, while there are too few. */
const EARLIER_MONTHS = [1, 12];

/** The first day of the month of `now` (UTC), as a date. */
export const monthOf = (now: Date) => sql`${`${now.toISOString().slice(0, 7)}-01`}::date`;

/** The days of the month of `now`, or those of this many months before it. */
const daysOf = (now: Date, before = 0) => sql`
  day >= ${monthOf(now)} - ${sql.raw(`interval '${before} months'`)}
    and day < ${monthOf(now)} + ${sql.raw(`interval '${before === 0 ? 1 : 0} months'`)}`;

/** The costs of the user of the row `budget` on some days (UTC), as a table of rollups has them. */
const costsIn = (rollups: string, days: RawBuilder<unknown>) => sql`(
  select coalesce(sum(total_cost), 0) from ${sql.table(rollups)} as rollup
  where rollup.user_id = budget.user_id and ${days}
)`;

/**
 * The costs of the month of `now` (UTC) of the user of the row `budget`, as `spent`: those of calls, `of_calls`, and of
 * test runs if the budget counts them. Nothing is read about these otherwise.
 */
export const spentBy = (now: Date) => sql`
  select of_calls, trim_scale(
    of_calls + case when budget.count_tests then ${costsIn('test_usage_rollups', daysOf(now))} else 0 end
  ) as spent
  from (select ${costsIn('usage_rollups', daysOf(now))} as of_calls) as calls_alone`;

/** Whether the user has a budget, and it is spent; with `countsTests`, only one that counts test runs. */
export async function isBudgetSpent(
  db: Db,
  user_id: string,
  now: Date,
  { countsTests = false } = {},
): Promise<boolean> {
  const { rows } = await sql`
    select from budgets as budget cross join lateral (${spentBy(now)}) as costs
    where user_id = ${user_id} and spent >= monthly_limit and (count_tests or not ${countsTests}::boolean)`.execute(db);
  return rows.length > 0;
}

/** The mean cost of the calls that ended on some days, if they are enough. */
const meanOf = (days: RawBuilder<unknown>, costs: RawBuilder<unknown>) => sql`(
  select case when calls >= ${CALLS_FOR_MEAN} then greatest(${costs}, 0) / calls end
  from (
    select coalesce(sum(calls), 0) as calls from call_rollups
    where call_rollups.user_id = budget.user_id and metric = 'ring' and ${days}
  ) as ended
)`;

/**
 * The mean cost of the calls that ended in this month, as `mean`; of earlier ones if too few have, and 0 if there are
 * too few of these as well. PostgreSQL reads the earlier ones only then. Follows `spentBy`.
 */
export const meanBy = (now: Date) => sql`
  select case when budget.cost_per_minute is null then coalesce(${meanOf(daysOf(now), sql`of_calls`)}, ${sql.join(
    EARLIER_MONTHS.map((before) => daysOf(now, before)).map((days) => meanOf(days, costsIn('usage_rollups', days))),
  )}, 0) else 0 end as mean`;

/**
 * The amount that open calls of the user of the row `budget` may still cost, as `reserved`: the estimate of each, less
 * what it has cost so far. Computed from the calls themselves, so that nothing has to be released. Follows `meanBy`.
 */
export const reservedBy = (max_duration_s: number) => sql`
  select coalesce(sum(greatest(estimate - cost, 0)), 0) as reserved
  from sessions
  cross join lateral (
    select case when budget.cost_per_minute is null then mean else
      budget.cost_per_minute * least(limits.max_s, coalesce(budget.expected_minutes * 60, limits.max_s)) / 60 end as estimate
    from (select coalesce(sessions.max_duration_s, ${max_duration_s}::integer) as max_s) as limits
  ) as estimated
  cross join lateral (
    select coalesce(sum(total_cost), 0) as cost from usage_events
    where estimate > 0 and usage_events.session_id = sessions.id::text
      and usage_events.id >= id_from(sessions.created_at - interval '1 day')
  ) as so_far
  where sessions.user_id = budget.user_id and sessions.status in ('CREATED', 'ACTIVE')
    and (sessions.call_status is not null or sessions.dispatched_at is not null)`;
