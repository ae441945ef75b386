import { sql } from 'kysely';
import type { Db } from '../db/tables.ts';
import { type NewSession, SESSION_COLUMNS, type Session } from './store.ts';

/** A session as its signal leaves it, and the id of the timeline's entry that tells it. */
export type StateChange = Pick<
  Session,
  | 'id'
  | 'status'
  | 'call_status'
  | 'started_at'
  | 'ended_at'
  | 'duration'
  | 'end_reason'
  | 'sip_status_code'
  | 'updated_at'
> & { event_id: string };
export type CallToAdd = Pick<
  NewSession,
  'id' | 'room_name' | 'user_id' | 'agent_id' | 'outbound_phone_number' | 'callback_url' | 'created_at'
> & { event_id: string };

/** Those of the sessions that nobody else has locked, locked until the transaction ends. */
export function lockFreeSessions(trx: Db, ids: string[]): Promise<Session[]> {
  return sql<Session>`
    select ${SESSION_COLUMNS} from sessions where id = any(${ids}::uuid[]) for update skip locked`
    .execute(trx)
    .then(({ rows }) => rows);
}

// An entry of the timeline for each row of `rows`, under the ids that came with them.
const told = (rows: string, changes: { id: string; event_id: string }[]) => sql`
  insert into session_events (id, session_id, seq, status, call_status, created_at)
  select event.id, session_id, last_event, status, call_status, updated_at
  from ${sql.table(rows)} as session join unnest(
    ${changes.map(({ event_id }) => event_id)}::uuid[], ${changes.map(({ id }) => id)}::uuid[]
  ) as event (id, session_id) on event.session_id = session.id`;

/** Changes the state of sessions, with the entries of their timelines. */
export async function updateStates(trx: Db, changes: StateChange[]): Promise<Session[]> {
  const { rows } = await sql<Session>`
    with changed as (
      update sessions set
        status = next.status, call_status = next.call_status, started_at = next.started_at, ended_at = next.ended_at,
        duration = next.duration, end_reason = next.end_reason, sip_status_code = next.sip_status_code,
        updated_at = next.updated_at, last_event = sessions.last_event + 1
      from json_populate_recordset(null::sessions, ${JSON.stringify(changes)}::text::json) as next
      where sessions.id = next.id and sessions.id = any(${changes.map(({ id }) => id)}::uuid[])
      returning ${SESSION_COLUMNS}
    ), told as (${told('changed', changes)})
    select * from changed`.execute(trx);
  return rows;
}

/** Inserts outbound calls that are about to ring, with the first entries of their timelines. */
export async function insertCalls(trx: Db, calls: CallToAdd[]): Promise<Session[]> {
  const { rows } = await sql<Session>`
    with added as (
      insert into sessions (id, room_name, user_id, agent_id, outbound_phone_number, callback_url, created_at, updated_at,
        status, call_direction, call_status, session_data, last_event)
      select id, room_name, user_id, agent_id, outbound_phone_number, callback_url, created_at, created_at,
        'CREATED', 'OUTBOUND', 'RINGING', '{}', 1
      from json_populate_recordset(null::sessions, ${JSON.stringify(calls)}::text::json)
      returning ${SESSION_COLUMNS}
    ), told as (${told('added', calls)})
    select * from added`.execute(trx);
  return rows;
}

/** Records that the agent's worker is in the room; gives those it was known of, or is known of now. Sessions that somebody else has locked are left out. */
export async function markAgentsJoined(db: Db, ids: string[], agent_joined_at: Date): Promise<Set<string>> {
  const { rows } = await sql<{ id: string }>`
    with free as (select id from sessions where id = any(${ids}::uuid[]) for update skip locked),
    marked as (
      update sessions set agent_joined_at = ${agent_joined_at.toISOString()}::timestamptz
      where id in (select id from free) and agent_joined_at is null
    )
    select id from free`.execute(db);
  return new Set(rows.map(({ id }) => id));
}
