import { sql } from 'kysely';
import type { Db } from '../../db/tables.ts';
import type { Days } from '../../http/date-range.ts';
import type { PageRequest } from '../../lib/page.ts';

export type Period = 'daily' | 'weekly' | 'monthly';

/**
 * Names that a report lists. Workers bring names into being with each event, and responses without pages must stay
 * small: the rest, those that cost least, are summed up under `OTHER`.
 */
export const MAX_PROVIDERS = 1_000;
export const MAX_PROVIDERS_OF_TIMELINE = 100;
export const MAX_AGENTS_LISTED = 5_000;
const OTHER = sql.lit('other');

const UNIT = { daily: 'day', weekly: 'week', monthly: 'month' } as const;
// Trimmed, so that an amount has one canonical form.
const cost = sql<string>`trim_scale(coalesce(sum(total_cost), 0))`;

/**
 * Excludes groups without any priced event, which would look like a provider that costs nothing. Only the cost report
 * shows them.
 */
const HAS_PRICE = sql<boolean>`bool_or(events > unpriced)`;

const isIn = ({ from, to }: Days, day = sql.ref('day')) => sql<boolean>`
  (${from}::date is null or ${day} >= ${from}::date) and (${to}::date is null or ${day} <= ${to}::date)`;

/**
 * Costs of a user's events on these days, and of those from the day `month` up to `next`: a row per provider with
 * events on these days, and one without a provider for the total. Like the reports below it reads the rollups, which
 * are written with the events.
 */
export async function costByProvider(db: Db, user_id: string, days: Days, month: string, next: string) {
  const { rows } = await sql<{ provider: string | null; cost: string; month_cost: string }>`
    -- prepared: cost_by_provider
    with costs as (
      select provider, coalesce(sum(total_cost) filter (where ${isIn(days)}), 0) as cost,
        coalesce(sum(total_cost) filter (where day >= ${month}::date and day < ${next}::date), 0) as month_cost
      from usage_rollups where user_id = ${user_id}
      group by grouping sets ((provider), ())
      having grouping(provider) = 1 or bool_or(events > unpriced and ${isIn(days)})
    ), ranked as (
      select *, row_number() over (order by provider is null desc, cost desc, provider) as place from costs
    )
    select case when place <= ${sql.lit(MAX_PROVIDERS + 1)} then provider else ${OTHER} end as provider,
      trim_scale(sum(cost)) as cost, trim_scale(sum(month_cost)) as month_cost
    from ranked group by 1 order by 1`.execute(db);
  return rows;
}

interface AgentCost {
  agent_id: string;
  agent_name: string;
  total_cost: string;
  session_count: number;
  event_count: number;
}

/**
 * Highest cost first, without events that have no agent. Deleted agents keep their names; ids that are no agent's are
 * summed up first.
 */
export async function costByAgent(db: Db, user_id: string, days: Days): Promise<AgentCost[]> {
  const isListed = sql`place <= ${sql.lit(MAX_AGENTS_LISTED)}`;
  const { rows } = await sql<AgentCost>`
    with costs as (${costOfEachAgent(db, user_id, days)}), ranked as (
      select *, row_number() over (order by agent_name is null, total_cost desc, agent_id) as place from costs
    )
    select case when ${isListed} then agent_id else ${OTHER} end as agent_id,
      max(case when ${isListed} then coalesce(agent_name, 'Unknown') else 'Other agents' end) as agent_name,
      trim_scale(sum(total_cost)) as total_cost, sum(session_count)::bigint as session_count,
      sum(event_count)::bigint as event_count
    from ranked group by 1 order by sum(total_cost) desc, 1`.execute(db);
  return rows;
}

function costOfEachAgent(db: Db, user_id: string, days: Days) {
  const isAll = days.from === null && days.to === null;
  return db
    .selectFrom('usage_rollups as rollup')
    .leftJoin(isAll ? sessionCounts(db, user_id) : sessionsOfDays(db, user_id, days), (join) =>
      join.onRef('seen.agent_id', '=', 'rollup.agent_id'),
    )
    .leftJoin('agents', (join) =>
      join.on(sql`agents.id::text`, '=', sql`rollup.agent_id`).onRef('agents.user_id', '=', 'rollup.user_id'),
    )
    .select([
      'rollup.agent_id',
      sql<string | null>`max(agents.name)`.as('agent_name'),
      cost.as('total_cost'),
      sql<number>`coalesce(max(seen.sessions), 0)`.as('session_count'),
      sql<number>`sum(rollup.events)::bigint`.as('event_count'),
    ])
    .where('rollup.user_id', '=', user_id)
    .where('rollup.agent_id', '!=', '')
    .where(isIn(days))
    .groupBy('rollup.agent_id')
    .having(HAS_PRICE);
}

function sessionCounts(db: Db, user_id: string) {
  return db
    .selectFrom('usage_agent_session_counts')
    .select(['agent_id', 'sessions'])
    .where('user_id', '=', user_id)
    .as('seen');
}

/**
 * Counted in the ledger, because rollups by day would count a session that spans midnight twice. Adjusting entries
 * are excluded: their sessions count on the day of the adjusted event.
 */
function sessionsOfDays(db: Db, user_id: string, { from, to }: Days) {
  let query = db
    .selectFrom('usage_events')
    .select([sql<string>`agent_id`.as('agent_id'), sql<number>`count(distinct session_id)`.as('sessions')])
    .where('user_id', '=', user_id)
    .where('agent_id', 'is not', null)
    .where('adjusts', 'is', null)
    .groupBy('agent_id');
  if (from) query = query.where('created_at', '>=', sql<Date>`${from}::date::timestamp at time zone 'UTC'`);
  if (to) query = query.where('created_at', '<', sql<Date>`(${to}::date + 1)::timestamp at time zone 'UTC'`);
  return query.as('seen');
}

/**
 * Costs per period (UTC; weeks start on Monday), ascending: a row per period and provider, and one without a provider
 * for the whole period.
 */
export async function costByPeriod(db: Db, user_id: string, period: Period, { from, to }: Days) {
  const date = sql<string>`to_char(date_trunc(${sql.lit(UNIT[period])}, day::timestamp), 'YYYY-MM-DD')`;
  let query = db
    .selectFrom('usage_rollups')
    .select([date.as('date'), sql<string | null>`provider`.as('provider'), cost.as('cost')])
    .where('user_id', '=', user_id)
    .groupBy(sql`grouping sets ((${date}, provider), (${date}))`)
    .having(HAS_PRICE);
  if (from) query = query.where('day', '>=', sql<string>`${from}::date`);
  if (to) query = query.where('day', '<=', sql<string>`${to}::date`);
  const { rows } = await sql<{ date: string; provider: string | null; cost: string }>`
    with costs as (${query}), named as (
      select provider from costs where provider is not null
      group by provider order by sum(cost) desc, provider limit ${sql.lit(MAX_PROVIDERS_OF_TIMELINE)}
    )
    select date, case when provider is null or provider in (table named) then provider else ${OTHER} end as provider,
      trim_scale(sum(cost)) as cost
    from costs group by 1, 2 order by 1, 2`.execute(db);
  return rows;
}

/** A session and its user. No id of an event of it is below `since`, so earlier months are not read. */
export interface EventsOf {
  session_id: string;
  user_id: string;
  since: string;
}

/** The events of a session that its user logged, in the order of their arrival; up to `limit` plus one. */
export function sessionEvents(db: Db, { session_id, user_id, since }: EventsOf, page: PageRequest) {
  const amount = (name: 'quantity' | 'unit_cost' | 'total_cost') => sql<string>`trim_scale(${sql.ref(name)})`.as(name);
  const query = db
    .selectFrom('usage_events')
    .select(['id', 'session_id', 'user_id', 'agent_id', 'provider', 'event_type', 'created_at'])
    .select([amount('quantity'), amount('unit_cost'), amount('total_cost')])
    .where('session_id', '=', session_id)
    .where('id', '>=', since)
    .where('user_id', '=', user_id)
    .orderBy('id')
    .limit(page.limit + 1);
  return (page.after === null ? query : query.where('id', '>', page.after)).execute();
}

/** Costs of those events: a row per event type, a row per provider, and one with neither for the total. */
export async function sessionCosts(db: Db, { session_id, user_id, since }: EventsOf) {
  const query = db
    .selectFrom('usage_events')
    .select([
      sql<string | null>`event_type`.as('event_type'),
      sql<string | null>`provider`.as('provider'),
      cost.as('cost'),
    ])
    .where('session_id', '=', session_id)
    .where('id', '>=', since)
    .where('user_id', '=', user_id)
    .groupBy(sql`grouping sets ((event_type), (provider), ())`);
  const { rows } = await sql<{ event_type: string | null; provider: string | null; cost: string }>`
    with costs as (${query}), ranked as (
      select *, row_number() over (partition by provider is null order by cost desc, provider) as place from costs
    )
    select event_type, case when place <= ${sql.lit(MAX_PROVIDERS)} then provider else ${OTHER} end as provider,
      trim_scale(sum(cost)) as cost
    from ranked group by 1, 2 order by 1, 2`.execute(db);
  return rows;
}

/** The id of the newest of those events; null if there is none. */
export async function newestEvent(db: Db, { session_id, user_id, since }: EventsOf): Promise<string | null> {
  const query = db
    .selectFrom('usage_events')
    .select('id')
    .where('session_id', '=', session_id)
    .where('id', '>=', since)
    .where('user_id', '=', user_id)
    .orderBy('id', 'desc')
    .limit(1);
  return (await query.executeTakeFirst())?.id ?? null;
}
