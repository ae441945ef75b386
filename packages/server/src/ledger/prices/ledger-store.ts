import { type Selectable, sql } from 'kysely';
import type { Db, Tables } from '../../db/tables.ts';
import type { Days } from '../../http/date-range.ts';

type Row = Selectable<Tables['usage_events']>;

/** An event that was logged without a price and has none yet. */
export interface OpenEvent
  extends Pick<
    Row,
    | 'id'
    | 'session_id'
    | 'user_id'
    | 'agent_id'
    | 'provider'
    | 'event_type'
    | 'model'
    | 'direction'
    | 'quantity'
    | 'created_at'
  > {
  /** `YYYY-MM-DD`, UTC. */
  day: string;
  unit_cost: string | null;
  /** The quantity times its price; null until it is priced. */
  total_cost: string | null;
}

/** Blocks other pricing of events, erasures and rebuilds until the transaction ends; logging continues. */
export async function lockPricing(trx: Db): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended('pricing', 0))`.execute(trx);
  await sql`lock table usage_rollups in row exclusive mode`.execute(trx);
}

/** The first and last of some days (UTC) with unpriced events, from the rollups; null if none. */
export async function openDays(db: Db, days: Days): Promise<{ from: string; to: string } | null> {
  const { rows } = await sql<{ from: string | null; to: string | null }>`
    select to_char(min(day), 'YYYY-MM-DD') as from, to_char(max(day), 'YYYY-MM-DD') as to
    from (${openRollups(days)}) as open`.execute(db);
  const { from = null, to = null } = rows[0] ?? {};
  return from === null || to === null ? null : { from, to };
}

/** The number of unpriced events, from the rollups, on the days before `first`. */
export async function countOpenBefore(db: Db, days: Days, first: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select coalesce(sum(unpriced), 0)::bigint as count from (${openRollups(days)}) as open
    where day < ${first}::date`.execute(db);
  return rows[0]?.count ?? 0;
}

const openRollups = ({ from, to }: Days) => sql`
  select user_id, day, sum(unpriced) as unpriced from usage_rollups
  where unpriced <> 0 and day >= coalesce(${from}::date, '-infinity') and day <= coalesce(${to}::date, 'infinity')
  group by user_id, day having sum(unpriced) > 0`;

/** Up to `limit` unpriced events of some days, in the order of their ids, after one id and before another. */
export async function listOpenEvents(
  db: Db,
  days: { from: string; to: string },
  after: string,
  before: string,
  limit: number,
): Promise<OpenEvent[]> {
  const { rows } = await sql<OpenEvent>`
    select id, session_id, user_id, agent_id, provider, event_type, model, direction, quantity, created_at,
      to_char(created_at at time zone 'UTC', 'YYYY-MM-DD') as day, null as unit_cost, null as total_cost
    from usage_events as event
    where is_unpriced and id > ${after}::uuid and id < ${before}::uuid
      and created_at >= ${days.from}::date::timestamp at time zone 'UTC'
      and created_at < (${days.to}::date + 1)::timestamp at time zone 'UTC'
      and not exists (select from usage_events as pricing where pricing.adjusts = event.id and pricing.is_pricing)
    order by id limit ${sql.lit(limit)}`.execute(db);
  return rows;
}

/** The exact sum of decimals. */
export async function sumOf(db: Db, amounts: string[]): Promise<string> {
  const { rows } = await sql<{ sum: string }>`
    select trim_scale(sum(amount))::text as sum from unnest(${amounts}::numeric[]) as amount`.execute(db);
  return rows[0]?.sum ?? '0';
}
