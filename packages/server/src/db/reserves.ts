import { type RawBuilder, sql } from 'kysely';
import type { Db } from './tables.ts';

/** Seconds beyond its maximum duration after which the provider ends a call that no round has ended. */
export const BACKSTOP_S = 60;
/** The newest calls that were answered and have ended, whose mean cost is the estimate; with fewer it is unknown. */
const CALLS_OF_MEAN = 20;
/** Months that are looked back on for these. */
const MONTHS_OF_MEAN = 12;

/** The first day of the month of `now` (UTC), as a date. */
export const monthOf = (now: Date) => sql`${`${now.toISOString().slice(0, 7)}-01`}::date`;

/** The costs of the user of the row `budget` in the month of `now` (UTC), as a table of rollups has them. */
const costsIn = (rollups: string, now: Date) => sql`(
  select coalesce(sum(total_cost), 0) from ${sql.table(rollups)} as rollup
  where rollup.user_id = budget.user_id and day >= ${monthOf(now)} and day < ${monthOf(now)} + interval '1 month'
)`;

/**
 * The costs of the month of `now` (UTC) of the user of the row `budget`, as `spent`: those of calls, and of test runs
 * if the budget counts them. Nothing is read about these otherwise.
 */
export const spentBy = (now: Date) => sql`
  select trim_scale(
    ${costsIn('usage_rollups', now)}
    + case when budget.count_tests then ${costsIn('test_usage_rollups', now)} else 0 end
  ) as spent`;

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

/** Costs of the session of the row `sessions` to its user so far, as `cost`; nothing is read unless `isAsked`. */
const costSoFar = (isAsked: RawBuilder<unknown>) => sql`
  select coalesce(sum(total_cost), 0) as cost from usage_events
  where ${isAsked} and usage_events.session_id = sessions.id::text and usage_events.user_id = budget.user_id
    and usage_events.id >= id_from(sessions.created_at - interval '1 day')`;

/**
 * The mean cost of the user's newest calls that have ended, as `mean`; 0 if they are too few. Read from the calls
 * themselves: the costs of a month also have chats, credits and what belongs to no session. Nothing is read for a
 * budget with a price. The aggregate has no query around it, into which PostgreSQL would copy it for each open call.
 */
export const meanBy = (now: Date) => sql`
  select case when count(*) >= ${CALLS_OF_MEAN} then greatest(avg(cost), 0) else 0 end as mean
  from (
    select id, created_at from sessions
    where budget.cost_per_minute is null
      and sessions.user_id = budget.user_id and call_status is not null and started_at is not null and ended_at is not null
      and id >= id_from(${now.toISOString()}::timestamptz - ${sql.raw(`interval '${MONTHS_OF_MEAN} months'`)})
    order by id desc limit ${sql.lit(CALLS_OF_MEAN)}
  ) as sessions
  cross join lateral (${costSoFar(sql`true`)}) as so_far`;

/**
 * The amount that open calls of the user of the row `budget` may still cost, as `reserved`: the estimate of each, less
 * what it has cost so far. Computed from the calls themselves, so that nothing has to be released. Chats reserve
 * nothing: what calls cost says nothing of them. Follows `meanBy`, and `estimateOf` of a new call is the same.
 */
export const reservedBy = (max_duration_s: number) => sql`
  select coalesce(sum(greatest(estimate - cost, 0)), 0) as reserved
  from sessions
  cross join lateral (
    select case when budget.cost_per_minute is null then mean else budget.cost_per_minute * least(
      budget.expected_minutes,
      ceil((coalesce(sessions.max_duration_s, ${max_duration_s}::integer) + ${sql.lit(BACKSTOP_S)}) / 60.0)
    ) end as estimate
  ) as estimated
  cross join lateral (${costSoFar(sql`estimate > 0`)}) as so_far
  where sessions.user_id = budget.user_id and sessions.status in ('CREATED', 'ACTIVE') and (
    sessions.call_status is not null
    -- The chat as a value, for which each session's is looked up: "exists" may read all chats.
    or sessions.dispatched_at is not null and (select true from chats where chats.session_id = sessions.id) is null
  )`;
