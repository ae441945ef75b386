import { type Selectable, sql } from 'kysely';
import type { Db, Tables } from '../db/tables.ts';
import { idsSince } from '../lib/ids.ts';

export type Period = 'daily' | 'weekly' | 'monthly';

const UNIT = { daily: 'day', weekly: 'week', monthly: 'month' } as const;
const cost = sql<string>`coalesce(sum(total_cost), 0)`;

/**
 * Cost of all events of a user, and of those from the day `month` up to `next`: a row a provider, and one without a provider for all of
 * them. This and the next two read the rollups alone, which are written with the events.
 */
export function costByProvider(db: Db, user_id: string, month: string, next: string) {
  return db
    .selectFrom('usage_rollups')
    .select([
      sql<string | null>`provider`.as('provider'),
      cost.as('cost'),
      sql<string>`coalesce(sum(total_cost) filter (where day >= ${month}::date and day < ${next}::date), 0)`.as(
        'month_cost',
      ),
    ])
    .where('user_id', '=', user_id)
    .groupBy(sql`grouping sets ((provider), ())`)
    .orderBy('provider')
    .execute();
}

/** Highest cost first. Events without an agent are left out. A deleted agent keeps its name here. */
export function costByAgent(db: Db, user_id: string) {
  return db
    .selectFrom('usage_rollups as rollup')
    .innerJoin('usage_agent_session_counts as seen', (join) =>
      join.onRef('seen.user_id', '=', 'rollup.user_id').onRef('seen.agent_id', '=', 'rollup.agent_id'),
    )
    .leftJoin('agents', (join) =>
      join.on(sql`agents.id::text`, '=', sql`rollup.agent_id`).onRef('agents.user_id', '=', 'rollup.user_id'),
    )
    .select([
      'rollup.agent_id',
      sql<string>`coalesce(max(agents.name), 'Unknown')`.as('agent_name'),
      cost.as('total_cost'),
      sql<number>`max(seen.sessions)`.as('session_count'),
      sql<number>`sum(rollup.events)::bigint`.as('event_count'),
    ])
    .where('rollup.user_id', '=', user_id)
    .where('rollup.agent_id', '!=', '')
    .groupBy('rollup.agent_id')
    .orderBy(cost, 'desc')
    .orderBy('rollup.agent_id')
    .execute();
}

/**
 * Cost per period (UTC; weeks start on Monday), ascending, from the day `from` to the day `to`, both inclusive:
 * a row a period and provider, and one without a provider for the whole period.
 */
export function costByPeriod(db: Db, user_id: string, period: Period, from: string | null, to: string | null) {
  const date = sql<string>`to_char(date_trunc(${sql.lit(UNIT[period])}, day::timestamp), 'YYYY-MM-DD')`;
  let query = db
    .selectFrom('usage_rollups')
    .select([date.as('date'), sql<string | null>`provider`.as('provider'), cost.as('cost')])
    .where('user_id', '=', user_id)
    .groupBy(sql`grouping sets ((${date}, provider), (${date}))`)
    .orderBy('date')
    .orderBy('provider');
  if (from) query = query.where('day', '>=', sql<string>`${from}::date`);
  if (to) query = query.where('day', '<=', sql<string>`${to}::date`);
  return query.execute();
}

/**
 * The events of a session that its user logged, in the order they came. A worker that is early knows the session's id, and so logs
 * after that was made: months before are not looked into.
 */
export function sessionEvents(
  db: Db,
  session_id: string,
  user_id: string,
): Promise<Selectable<Tables['usage_events']>[]> {
  return db
    .selectFrom('usage_events')
    .selectAll()
    .where('session_id', '=', session_id)
    .where('id', '>=', idsSince(session_id))
    .where('user_id', '=', user_id)
    .orderBy('id')
    .execute();
}

/** Cost of those events: a row an event type, a row a provider, and one with neither for all of them. */
export function sessionCosts(db: Db, session_id: string, user_id: string) {
  return db
    .selectFrom('usage_events')
    .select([
      sql<string | null>`event_type`.as('event_type'),
      sql<string | null>`provider`.as('provider'),
      cost.as('cost'),
    ])
    .where('session_id', '=', session_id)
    .where('id', '>=', idsSince(session_id))
    .where('user_id', '=', user_id)
    .groupBy(sql`grouping sets ((event_type), (provider), ())`)
    .orderBy('event_type')
    .orderBy('provider')
    .execute();
}
