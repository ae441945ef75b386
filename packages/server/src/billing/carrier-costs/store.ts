import { sql } from 'kysely';
import type { Db, Tables } from '../../db/tables.ts';
import { idsFrom } from '../../lib/ids.ts';

/** A billed phone line in the ledger without an imported record of the carrier. */
export interface BilledLine {
  event_id: string;
  session_id: string;
  /** Null for one of a usage event that a client has sent. */
  direction: 'INBOUND' | 'OUTBOUND' | null;
  /** The caller's number, on an inbound call; null if unknown. */
  caller: string | null;
  /** Numbers called in the session, in E.164; the line is to one of them. */
  called: string[];
  /** Leading digits of the called number; null if unknown. */
  model: string | null;
  /** The carrier's id of an inbound call; null if unknown. */
  carrier_call_sid: string | null;
  started_at: Date;
  ended_at: Date;
  booked: string;
}

/** Longer than any call: sessions that began this long before have no line any more. */
const LONGEST_CALL_MINUTES = 25 * 60;
const LONGEST_CALL_MS = LONGEST_CALL_MINUTES * 60 * 1000;

/**
 * The lines of a provider that were open between two times and have no imported record. Reads the sessions of that
 * period with their transfers and events. A line's beginning is derived from its billed duration, so it may be early
 * by up to a billing increment.
 */
export async function listLines(db: Db, provider: string, from: Date, to: Date): Promise<BilledLine[]> {
  const ids = (time: number) => idsFrom(new Date(time));
  const [first, end] = [ids(from.getTime() - LONGEST_CALL_MS), ids(to.getTime())];
  const { rows } = await sql<BilledLine>`
    select event.id as event_id, event.session_id, event.direction, event.model, session.caller_number as caller,
      case when event.direction = 'INBOUND' then session.carrier_call_sid end as carrier_call_sid,
      case when event.direction = 'INBOUND' then array_remove(array[session.our_number], null)
        else array_remove(array_append(target.numbers, session.outbound_phone_number), null) end as called,
      event.created_at - greatest(0, least(event.quantity, ${sql.lit(LONGEST_CALL_MINUTES)})) * interval '1 minute' as started_at,
      event.created_at as ended_at,
      trim_scale(event.total_cost + adjusted.total_cost)::text as booked
    from sessions as session
    cross join lateral (
      select array_agg(phone_number) as numbers from transfers
      where transfers.session_id = session.id and answered_at is not null
    ) as target
    join usage_events as event on event.session_id = session.id::text and event.id >= ${first}::uuid
    cross join lateral (${ADJUSTMENTS}) as adjusted
    where session.id >= ${first}::uuid and session.id < ${end}::uuid and session.call_direction is not null
      and event.event_type = 'telephony_minutes' and event.provider = ${provider} and event.adjusts is null
      and event.created_at >= ${from.toISOString()}::timestamptz
      and not exists (select from carrier_records where carrier_records.event_id = event.id)
    order by event.id`.execute(db);
  return rows.filter(({ started_at }) => started_at < to);
}

// The entries of the row `event`. One of a clock that is behind has a lower id, by less than a day: earlier partitions
// need not be read.
const ADJUSTMENTS = sql`
  select coalesce(sum(total_cost), 0) as total_cost, coalesce(bool_or(is_pricing), false) as is_priced
  from usage_events as entry
  where entry.adjusts = event.id and entry.id >= id_from(event.created_at - interval '1 day')`;

/** A record whose line is known. */
export interface Pair {
  carrier_call_sid: string;
  event_id: string;
  session_id: string;
  billed: string;
  started_at: Date;
  duration_s: number;
}

type Event = Tables['usage_events'];

/** A pair whose event is in the ledger, and the difference to book. */
export interface Due extends Pair {
  user_id: string;
  agent_id: string | null;
  provider: string;
  event_type: Event['event_type'];
  model: string | null;
  direction: Event['direction'];
  /** The day of the event, UTC. */
  day: string;
  booked: string;
  difference: string;
  /** Whether the event has no price yet. */
  is_open: boolean;
}

/**
 * Pairs whose record can be booked, in the order of the sessions, in which everybody locks several: the event is in the
 * ledger, its session is not erased (locked until the transaction ends), and neither event nor record has been imported
 * before.
 */
export async function lockDue(trx: Db, pairs: Pair[]): Promise<Due[]> {
  const column = (name: keyof Pair) => pairs.map((pair) => pair[name]);
  const { rows } = await sql<Due>`
    select pair.carrier_call_sid, pair.event_id, pair.session_id, trim_scale(pair.billed)::text as billed,
      pair.started_at, pair.duration_s, event.user_id, event.agent_id, event.provider, event.event_type, event.model,
      event.direction, to_char(event.created_at at time zone 'UTC', 'YYYY-MM-DD') as day,
      trim_scale(event.total_cost + adjusted.total_cost)::text as booked,
      trim_scale(pair.billed - event.total_cost - adjusted.total_cost)::text as difference,
      event.is_unpriced and not adjusted.is_priced as is_open
    from unnest(
      ${column('carrier_call_sid')}::text[], ${column('event_id')}::uuid[], ${column('session_id')}::uuid[],
      ${column('billed')}::numeric[], ${pairs.map(({ started_at }) => started_at.toISOString())}::timestamptz[],
      ${column('duration_s')}::integer[]
    ) as pair (carrier_call_sid, event_id, session_id, billed, started_at, duration_s)
    join sessions as session on session.id = pair.session_id
    join usage_events as event on event.id = pair.event_id
    cross join lateral (${ADJUSTMENTS}) as adjusted
    where session.erased_at is null and not exists (
      select from carrier_records as other
      where other.event_id = event.id
        and (other.carrier_call_sid <> pair.carrier_call_sid or other.billed = pair.billed)
    ) and not exists (
      select from carrier_records as other
      where other.carrier_call_sid = pair.carrier_call_sid and other.event_id <> pair.event_id
    )
    order by session.id, event.id
    for key share of session`.execute(trx);
  return rows;
}

/** Records what was booked; a record that was booked before keeps the ledger's original amount. */
export async function insertRecords(trx: Db, records: Due[], imported_at: Date): Promise<void> {
  const column = (name: keyof Due) => records.map((record) => record[name]);
  await sql`
    insert into carrier_records (carrier_call_sid, event_id, session_id, booked, billed, started_at, duration_s, imported_at)
    select *, ${imported_at.toISOString()}::timestamptz from unnest(
      ${column('carrier_call_sid')}::text[], ${column('event_id')}::uuid[], ${column('session_id')}::uuid[],
      ${column('booked')}::numeric[], ${column('billed')}::numeric[],
      ${records.map(({ started_at }) => started_at.toISOString())}::timestamptz(3)[], ${column('duration_s')}::integer[]
    )
    on conflict (carrier_call_sid) do update set billed = excluded.billed, imported_at = excluded.imported_at`.execute(
    trx,
  );
}

/** Records that were imported before, by SID; `is_same` tells whether the billed amount is unchanged. */
export async function findRecords(
  db: Db,
  records: { carrier_call_sid: string; cost: string | null }[],
): Promise<Map<string, { event_id: string; session_id: string; is_same: boolean }>> {
  const { rows } = await sql<{ carrier_call_sid: string; event_id: string; session_id: string; is_same: boolean }>`
    select carrier_call_sid, event_id, session_id, coalesce(billed = given.cost, true) as is_same
    from unnest(
      ${records.map(({ carrier_call_sid }) => carrier_call_sid)}::text[], ${records.map(({ cost }) => cost)}::numeric[]
    ) as given (carrier_call_sid, cost) join carrier_records using (carrier_call_sid)`.execute(db);
  return new Map(rows.map(({ carrier_call_sid, ...known }) => [carrier_call_sid, known]));
}

interface Compared {
  session_id: string;
  carrier_call_sid: string;
  started_at: Date;
  duration_s: number;
  booked: string;
  billed: string;
  difference: string;
}

/** Booked and billed amounts of imported records, and up to `limit` that differ, largest difference first. */
export async function compareRecords(db: Db, sids: string[], limit: number) {
  const { rows } = await sql<{
    booked: string;
    billed: string;
    difference: string;
    calls: (Omit<Compared, 'started_at'> & { started_at: string })[];
  }>`
    with found as materialized (select * from carrier_records where carrier_call_sid = any(${sids}::text[])),
    apart as (
      select session_id, carrier_call_sid, started_at, duration_s, trim_scale(booked)::text as booked,
        trim_scale(billed)::text as billed, trim_scale(billed - booked)::text as difference
      from found where billed <> booked order by abs(billed - found.booked) desc, carrier_call_sid limit ${limit}
    )
    select trim_scale(coalesce(sum(booked), 0))::text as booked, trim_scale(coalesce(sum(billed), 0))::text as billed,
      trim_scale(coalesce(sum(billed) - sum(booked), 0))::text as difference,
      (select coalesce(json_agg(apart), '[]') from apart) as calls
    from found`.execute(db);
  const { calls = [], booked = '0', billed = '0', difference = '0' } = rows[0] ?? {};
  return {
    booked,
    billed,
    difference,
    calls: calls.map((call) => ({ ...call, started_at: new Date(call.started_at) })),
  };
}

/** The sums of two lists of decimals. */
export async function sumEach(db: Db, one: string[], other: string[]): Promise<[string, string]> {
  const sum = (amounts: string[]) => sql`
    (select trim_scale(coalesce(sum(amount), 0))::text from unnest(${amounts}::numeric[]) as amount)`;
  const { rows } = await sql<{ one: string; other: string }>`
    select ${sum(one)} as one, ${sum(other)} as other`.execute(db);
  return [rows[0]?.one ?? '0', rows[0]?.other ?? '0'];
}

export async function deleteRecordsOf(trx: Db, session_ids: string[]): Promise<void> {
  if (session_ids.length > 0) await trx.deleteFrom('carrier_records').where('session_id', 'in', session_ids).execute();
}
