import { type Insertable, type Selectable, sql } from 'kysely';
import type { Db, Tables } from '../../db/tables.ts';

export type UsageEvent = Selectable<Tables['usage_events']>;
export type NewUsageEvent = Insertable<Tables['usage_events']>;

/**
 * Writes events to the ledger and adds them to the rollups, in one statement. Keys are sorted, so that writers that
 * come to the same rollups wait for one another instead of locking one another out. Gives the amounts by id, in their
 * one form: without trailing zeros.
 */
export async function insertUsageEvents(
  db: Db,
  events: NewUsageEvent[],
): Promise<Map<string, Pick<UsageEvent, 'quantity' | 'unit_cost' | 'total_cost'>>> {
  const column = (name: keyof NewUsageEvent) => events.map((event) => event[name] ?? null);
  const { rows } = await sql<Pick<UsageEvent, 'id' | 'quantity' | 'unit_cost' | 'total_cost'>>`
    -- prepared: insert_usage_events
    with input as (
      select * from unnest(
        ${column('id')}::uuid[], ${column('session_id')}::text[], ${column('user_id')}::text[], ${column('agent_id')}::text[],
        ${column('provider')}::text[], ${column('event_type')}::text[], ${column('quantity')}::numeric[],
        ${column('unit_cost')}::numeric[], ${column('total_cost')}::numeric[],
        ${events.map(({ created_at }) => (created_at as Date).toISOString())}::timestamptz(3)[]
      ) as event (id, session_id, user_id, agent_id, provider, event_type, quantity, unit_cost, total_cost, created_at)
    ), inserted as (
      insert into usage_events
        (id, session_id, user_id, agent_id, provider, event_type, quantity, unit_cost, total_cost, created_at)
      select * from input
      returning id, trim_scale(quantity) as quantity, trim_scale(unit_cost) as unit_cost, trim_scale(total_cost) as total_cost
    ), rolled_up as (
      insert into usage_rollups as rollup (user_id, day, agent_id, provider, event_type, quantity, total_cost, events)
      select user_id, (created_at at time zone 'UTC')::date, coalesce(agent_id, ''), provider, event_type,
        sum(quantity), sum(total_cost), count(*)
      from input group by 1, 2, 3, 4, 5 order by 1, 2, 3, 4, 5
      on conflict (user_id, day, agent_id, provider, event_type) do update set
        quantity = rollup.quantity + excluded.quantity,
        total_cost = rollup.total_cost + excluded.total_cost,
        events = rollup.events + excluded.events
    ), first_seen as (
      insert into usage_agent_sessions (user_id, agent_id, session_id)
      select distinct user_id, agent_id, session_id from input where agent_id is not null order by 1, 2, 3
      on conflict do nothing returning user_id, agent_id
    ), counted as (
      insert into usage_agent_session_counts as known (user_id, agent_id, sessions)
      select user_id, agent_id, count(*) from first_seen group by 1, 2 order by 1, 2
      on conflict (user_id, agent_id) do update set sessions = known.sessions + excluded.sessions
    )
    select id, quantity, unit_cost, total_cost from inserted`.execute(db);
  return new Map(rows.map(({ id, ...amounts }) => [id, amounts]));
}
