import { sql } from 'kysely';

/** Ended calls of a month from which the mean cost of a call is estimated; with fewer it is unknown. */
const CALLS_FOR_MEAN = 20;

const monthOf = (now: Date) => sql`${`${now.toISOString().slice(0, 7)}-01`}::date`;

/** The costs of the user of the row `budget` in the month of `now` (UTC), as a table of rollups has them. */
const costsIn = (rollups: string, now: Date) => sql`
  select coalesce(sum(total_cost), 0) from ${sql.table(rollups)} as rollup
  where rollup.user_id = budget.user_id and day >= ${monthOf(now)} and day < ${monthOf(now)} + interval '1 month'`;

/**
 * The costs of the month of `now` (UTC) of the user of the row `budget`, as `spent`: those of calls, `of_calls`, and of
 * test runs if the budget counts them. Nothing is read about these otherwise.
 */
export const spentBy = (now: Date) => sql`
  select of_calls, trim_scale(
    of_calls + case when budget.count_tests then (${costsIn('test_usage_rollups', now)}) else 0 end
  ) as spent
  from (select (${costsIn('usage_rollups', now)}) as of_calls) as calls_alone`;

/** The mean cost of the calls that ended in this month, as `mean`; 0 if too few have. Follows `spentBy`. */
export const meanBy = (now: Date) => sql`
  select case when calls >= ${CALLS_FOR_MEAN} then greatest(of_calls, 0) / calls else 0 end as mean
  from (
    select coalesce(sum(calls), 0) as calls from call_rollups
    where budget.cost_per_minute is null and call_rollups.user_id = budget.user_id and metric = 'ring'
      and day >= ${monthOf(now)} and day < ${monthOf(now)} + interval '1 month'
  ) as ended`;

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
