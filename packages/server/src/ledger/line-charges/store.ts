import { type Selectable, sql } from 'kysely';
import type { Db, Tables } from '../../db/tables.ts';
import type { Line } from '../prices/prices.ts';

type Row = Selectable<Tables['usage_events']>;

/** A line in the ledger, and what was billed of it with its adjusting entries. */
export interface BilledLine
  extends Pick<Row, 'id' | 'session_id' | 'user_id' | 'agent_id' | 'provider' | 'model' | 'unit_cost' | 'created_at'> {
  event_type: Line['event_type'];
  direction: Line['direction'];
  /** Its day, UTC. */
  day: string;
  /** Minutes. */
  billed: string;
  /** Whether it has a price, and no invoice has been compared with it. */
  is_open: boolean;
}

/** The lines of a session in one direction. */
export async function listLines(
  trx: Db,
  { id, created_at }: { id: string; created_at: Date },
  direction: Line['direction'],
): Promise<BilledLine[]> {
  // Only lines have a direction. An entry of a clock that is behind has a lower id than the line it adjusts, by less
  // than a day: earlier partitions need not be read.
  const { rows } = await sql<BilledLine>`
    select event.id, session_id, user_id, agent_id, provider, event_type, model, direction, created_at,
      trim_scale(unit_cost)::text as unit_cost, to_char(created_at at time zone 'UTC', 'YYYY-MM-DD') as day,
      trim_scale(event.quantity + adjusted.quantity)::text as billed,
      not event.is_unpriced and not adjusted.is_compared
        and not exists (select from carrier_records where carrier_records.event_id = event.id) as is_open
    from usage_events as event
    cross join lateral (
      select coalesce(sum(quantity), 0) as quantity, coalesce(bool_or(quantity = 0), false) as is_compared
      from usage_events as entry
      where entry.adjusts = event.id and entry.id >= id_from(event.created_at - interval '1 day')
    ) as adjusted
    where session_id = ${id} and direction = ${direction} and adjusts is null
      and event.id >= id_from(${created_at.toISOString()}::timestamptz - interval '1 day')
    order by event.id`.execute(trx);
  return rows;
}
