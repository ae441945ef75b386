import { type Selectable, sql } from 'kysely';
import type { Db, Tables } from '../db/tables.ts';

export type Period = 'daily' | 'weekly' | 'monthly';

const UNIT = { daily: 'day', weekly: 'week', monthly: 'month' } as const;
const cost = sql<string>`coalesce(sum(total_cost), 0)`;

/** Cost of all events of a user, and of those from `month` up to `next`: a row a provider, and one without a provider for all of them. */
export function costByProvider(db: Db, user_id: string, month: Date, next: Date) {
  return db
    .selectFrom('usage_events')
    .select([
      sql<string | null>`provider`.as('provider'),
      cost.as('cost'),
      sql<string>`coalesce(sum(total_cost) filter (where created_at >= ${month} and created_at < ${next}), 0)`.as(
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
    .selectFrom('usage_events as event')
    .leftJoin('agents', (join) =>
      join.on(sql`agents.id::text`, '=', sql`event.agent_id`).onRef('agents.user_id', '=', 'event.user_id'),
    )
    .select([
      sql<string>`event.agent_id`.as('agent_id'),
      sql<string>`coalesce(max(agents.name), 'Unknown')`.as('agent_name'),
      cost.as('total_cost'),
      sql<number>`count(distinct event.session_id)`.as('session_count'),
      sql<number>`count(*)`.as('event_count'),
    ])
    .where('event.user_id', '=', user_id)
    .where('event.agent_id', 'is not', null)
    .groupBy('event.agent_id')
    .orderBy(cost, 'desc')
    .orderBy('event.agent_id')
    .execute();
}

/**
 * Cost per period (UTC; weeks start on Monday), ascending, from `from` to `to`, both inclusive:
 * a row a period and provider, and one without a provider for the whole period.
 */
export function costByPeriod(db: Db, user_id: string, period: Period, from: Date | null, to: Date | null) {
  const date = sql<string>`to_char(date_trunc(${sql.lit(UNIT[period])}, created_at at time zone 'UTC'), 'YYYY-MM-DD')`;
  let query = db
    .selectFrom('usage_events')
    .select([date.as('date'), sql<string | null>`provider`.as('provider'), cost.as('cost')])
    .where('user_id', '=', user_id)
    .groupBy(sql`grouping sets ((${date}, provider), (${date}))`)
    .orderBy('date')
    .orderBy('provider');
  if (from) query = query.where('created_at', '>=', from);
  if (to) query = query.where('created_at', '<=', to);
  return query.execute();
}

/** The events of a session that its user logged, in the order they came. */
export function sessionEvents(
  db: Db,
  session_id: string,
  user_id: string,
): Promise<Selectable<Tables['usage_events']>[]> {
  return db
    .selectFrom('usage_events')
    .selectAll()
    .where('session_id', '=', session_id)
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
    .where('user_id', '=', user_id)
    .groupBy(sql`grouping sets ((event_type), (provider), ())`)
    .orderBy('event_type')
    .orderBy('provider')
    .execute();
}
