import { type Insertable, type Selectable, sql } from 'kysely';
import type { Db, Tables } from '../../db/tables.ts';

type Row = Tables['usage_events'];
/** An event as it is shown; `used_on` is null except for adjusting entries. */
export type UsageEvent = Omit<Selectable<Row>, 'is_pricing'> & { used_on: string | null };
/**
 * An event to write. Without a `unit_cost` it is unpriced; without a `total_cost` that is `quantity` times
 * `unit_cost`, exactly. An adjusting entry has `adjusts` and `used_on`, and `is_pricing` if it is the one that prices
 * an unpriced event; its `quantity` is a difference, 0 if only the price is new.
 */
export type NewUsageEvent = Omit<Insertable<Row>, 'unit_cost' | 'total_cost' | 'is_unpriced'> & {
  unit_cost?: string | null | undefined;
  total_cost?: string | null | undefined;
};
type Amounts = Pick<UsageEvent, 'quantity' | 'unit_cost' | 'total_cost' | 'is_unpriced'>;

/**
 * Writes events to the ledger and adds them to the rollups, in one statement. Keys are sorted, so that concurrent
 * writers queue instead of deadlocking. Returns the canonical amounts by id, without trailing zeros. Writes and
 * returns nothing if the price book is no longer at version `book`: the prices may have changed.
 */
export async function insertUsageEvents(
  db: Db,
  events: NewUsageEvent[],
  book: number | null = null,
): Promise<Map<string, Amounts>> {
  const column = (name: keyof NewUsageEvent) => events.map((event) => event[name] ?? null);
  // Columns that no event sets are not sent: `unnest` yields null for them.
  const rare = (name: keyof NewUsageEvent) => (events.some((event) => event[name] != null) ? column(name) : []);
  const { rows } = await sql<Amounts & { id: string }>`
    -- prepared: insert_usage_events
    with input as (
      select id, session_id, user_id, agent_id, provider, event_type, quantity, coalesce(unit_cost, 0) as unit_cost,
        coalesce(total_cost, quantity * unit_cost, 0) as total_cost, created_at, model, direction,
        unit_cost is null as is_unpriced, adjusts, used_on, coalesce(is_pricing, false) as is_pricing, (created_at at time zone 'UTC')::date as recorded_on
      from unnest(
        ${column('id')}::uuid[], ${column('session_id')}::text[], ${column('user_id')}::text[], ${column('agent_id')}::text[],
        ${column('provider')}::text[], ${column('event_type')}::text[], ${column('quantity')}::numeric[],
        ${column('unit_cost')}::numeric[], ${column('total_cost')}::numeric[],
        ${events.map(({ created_at }) => (created_at as Date).toISOString())}::timestamptz(3)[],
        ${rare('model')}::text[], ${rare('direction')}::text[], ${rare('adjusts')}::uuid[], ${rare('used_on')}::date[],
        ${rare('is_pricing')}::boolean[]
      ) as event (id, session_id, user_id, agent_id, provider, event_type, quantity, unit_cost, total_cost, created_at,
        model, direction, adjusts, used_on, is_pricing)
      where ${book}::bigint is null or ${book}::bigint = (select version from price_book)
    ), inserted as (
      insert into usage_events (id, session_id, user_id, agent_id, provider, event_type, quantity, unit_cost, total_cost,
        created_at, model, direction, is_unpriced, adjusts, used_on, is_pricing)
      select id, session_id, user_id, agent_id, provider, event_type, quantity, unit_cost, total_cost,
        created_at, model, direction, is_unpriced, adjusts, used_on, is_pricing from input
      returning id, trim_scale(quantity) as quantity, trim_scale(unit_cost) as unit_cost,
        trim_scale(total_cost) as total_cost, is_unpriced
    ), grouped as materialized (
      -- Grouped before it is sorted: a sort of all events would compare many columns that are mostly equal.
      select user_id, coalesce(used_on, recorded_on) as day, coalesce(agent_id, '') as agent_id, provider, event_type,
        coalesce(model, '') as model, coalesce(direction, '') as direction, recorded_on, sum(quantity) as quantity,
        sum(total_cost) as total_cost, count(*) as events,
        count(*) filter (where is_unpriced) - count(*) filter (where is_pricing) as unpriced
      from input group by 1, 2, 3, 4, 5, 6, 7, 8
    ), rolled_up as (
      insert into usage_rollups as rollup (user_id, day, agent_id, provider, event_type, model, direction, recorded_on,
        quantity, total_cost, events, unpriced)
      select * from grouped order by user_id, day, agent_id, provider, event_type, model, direction, recorded_on
      on conflict (user_id, day, agent_id, provider, event_type, model, direction, recorded_on) do update set
        quantity = rollup.quantity + excluded.quantity,
        total_cost = rollup.total_cost + excluded.total_cost,
        events = rollup.events + excluded.events,
        unpriced = rollup.unpriced + excluded.unpriced
    ), seen as materialized (
      select distinct user_id, agent_id, session_id from input where agent_id is not null
    ), first_seen as (
      insert into usage_agent_sessions (user_id, agent_id, session_id)
      select * from seen order by user_id, agent_id, session_id
      on conflict do nothing returning user_id, agent_id
    ), counted as (
      insert into usage_agent_session_counts as known (user_id, agent_id, sessions)
      select user_id, agent_id, count(*) from first_seen group by 1, 2 order by 1, 2
      on conflict (user_id, agent_id) do update set sessions = known.sessions + excluded.sessions
    )
    select id, quantity, unit_cost, total_cost, is_unpriced from inserted`.execute(db);
  return new Map(rows.map((row) => [row.id, row]));
}
