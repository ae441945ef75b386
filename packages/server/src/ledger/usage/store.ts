import { type Insertable, type Selectable, sql } from 'kysely';
import type { Db, Tables } from '../../db/tables.ts';
import { canonicalDecimal, multiplyDecimals } from '../../lib/decimal.ts';
import { isId } from '../../lib/ids.ts';

type Row = Tables['usage_events'];
/** An event as it is shown; `used_on` is null except for adjusting entries. */
export type UsageEvent = Omit<Selectable<Row>, 'is_pricing' | 'agent_version'> & { used_on: string | null };
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
 * writers queue instead of deadlocking. Returns the canonical amounts, in order; null, without writing, if the price
 * book is no longer at version `book`: the prices may have changed. The amounts are calculated here because returning
 * them from the database would cost it a tenth of the statement.
 */
export async function insertUsageEvents(
  db: Db,
  events: NewUsageEvent[],
  book: number | null = null,
): Promise<Amounts[] | null> {
  const amounts = events.map(amountsOf);
  const amount = (name: 'quantity' | 'unit_cost' | 'total_cost') => plainArray(amounts.map((one) => one[name]));
  const unpriced = amounts.some(({ is_unpriced }) => is_unpriced) ? amounts.map(({ is_unpriced }) => is_unpriced) : [];
  const column = (name: keyof NewUsageEvent) => events.map((event) => event[name] ?? null);
  // Columns that no event sets are not sent: `unnest` yields null for them.
  const rare = (name: keyof NewUsageEvent) => (events.some((event) => event[name] != null) ? column(name) : []);
  // Any text may be the id of a session, or of an agent.
  const known = (name: 'session_id' | 'agent_id') => {
    const ids = events.map((event) => (isId(event[name] ?? '') ? event[name] : null));
    return ids.some((id) => id != null) ? ids : [];
  };
  const { rows } = await sql<{ is_current: boolean }>`
    -- prepared: insert_usage_events
    with book as (
      select ${book}::bigint is null or ${book}::bigint = (select version from price_book) as is_current
    ), input as (
      select event.id, session_id, event.agent_id, provider, event_type, quantity, unit_cost, total_cost, created_at, model,
        direction, coalesce(is_unpriced, false) as is_unpriced, adjusts, used_on,
        coalesce(is_pricing, false) as is_pricing, (created_at at time zone 'UTC')::date as recorded_on,
        -- A worker may report what it used for a user who has been erased meanwhile.
        case when session.is_erased then session.user_id else event.user_id end as user_id,
        -- Of the session, if the event is of its user and its agent.
        case when session.agent_id = known_agent_id and (session.is_erased or session.user_id = event.user_id)
          then agent_version end as agent_version
      from unnest(
        ${plainArray(events.map(({ id }) => id))}::uuid[], ${column('session_id')}::text[], ${column('user_id')}::text[], ${column('agent_id')}::text[],
        ${column('provider')}::text[], ${column('event_type')}::text[],
        ${amount('quantity')}::numeric[], ${amount('unit_cost')}::numeric[], ${amount('total_cost')}::numeric[],
        ${plainArray(events.map(({ created_at }) => (created_at as Date).toISOString()))}::timestamptz(3)[],
        ${unpriced}::boolean[], ${rare('model')}::text[], ${rare('direction')}::text[], ${rare('adjusts')}::uuid[], ${rare('used_on')}::date[],
        ${rare('is_pricing')}::boolean[], ${known('session_id')}::uuid[], ${known('agent_id')}::uuid[]
      ) as event (id, session_id, user_id, agent_id, provider, event_type, quantity, unit_cost, total_cost, created_at,
        is_unpriced, model, direction, adjusts, used_on, is_pricing, known_id, known_agent_id)
      -- With a limit, by the index and one by one, however many events the planner expects.
      left join lateral (
        select user_id, agent_id, agent_version, erased_at is not null as is_erased
        from sessions where sessions.id = known_id limit 1
      ) as session on true
      where (select is_current from book)
    ), inserted as (
      insert into usage_events (id, session_id, user_id, agent_id, provider, event_type, quantity, unit_cost, total_cost,
        created_at, model, direction, is_unpriced, adjusts, used_on, is_pricing, agent_version)
      select id, session_id, user_id, agent_id, provider, event_type, quantity, unit_cost, total_cost,
        created_at, model, direction, is_unpriced, adjusts, used_on, is_pricing, agent_version from input
    ), grouped as materialized (
      -- Grouped before it is sorted: a sort of all events would compare many columns that are mostly equal.
      select user_id, coalesce(used_on, recorded_on) as day, coalesce(agent_id, '') as agent_id, provider, event_type,
        coalesce(model, '') as model, coalesce(direction, '') as direction, recorded_on,
        coalesce(agent_version, 0) as agent_version, sum(quantity) as quantity, sum(total_cost) as total_cost,
        count(*) as events, count(*) filter (where is_unpriced) - count(*) filter (where is_pricing) as unpriced
      from input group by 1, 2, 3, 4, 5, 6, 7, 8, 9
    ), rolled_up as (
      insert into usage_rollups as rollup (user_id, day, agent_id, provider, event_type, model, direction, recorded_on,
        agent_version, quantity, total_cost, events, unpriced)
      select * from grouped
      order by user_id, day, agent_id, provider, event_type, model, direction, recorded_on, agent_version
      on conflict (user_id, day, agent_id, provider, event_type, model, direction, recorded_on, agent_version) do update set
        quantity = rollup.quantity + excluded.quantity,
        total_cost = rollup.total_cost + excluded.total_cost,
        events = rollup.events + excluded.events,
        unpriced = rollup.unpriced + excluded.unpriced
    ), first_seen as (
      insert into usage_agent_sessions (user_id, agent_id, session_id)
      select distinct user_id, agent_id, session_id from input where agent_id is not null order by 1, 2, 3
      on conflict do nothing returning user_id, agent_id
    ), counted as (
      insert into usage_agent_session_counts as known (user_id, agent_id, sessions)
      select user_id, agent_id, count(*) from first_seen group by 1, 2 order by 1, 2
      on conflict (user_id, agent_id) do update set sessions = known.sessions + excluded.sessions
    )
    -- Not what was written: passing each row on would cost a twentieth of the statement.
    select is_current from book`.execute(db);
  return rows[0]?.is_current ? amounts : null;
}

function amountsOf({ quantity, unit_cost, total_cost }: NewUsageEvent): Amounts {
  const total = total_cost ?? (unit_cost == null ? '0' : multiplyDecimals(quantity, unit_cost));
  return {
    quantity: canonicalDecimal(quantity),
    unit_cost: canonicalDecimal(unit_cost ?? '0'),
    total_cost: canonicalDecimal(total),
    is_unpriced: unit_cost == null,
  };
}

/** An array literal of values that need no quotes; the driver would search each for characters to escape. */
const plainArray = (values: string[]): string => `{${values.join(',')}}`;
