import { type Insertable, sql } from 'kysely';
import type { Db, Tables } from '../../db/tables.ts';
import { newId } from '../../lib/ids.ts';
import { SESSION_COLUMNS, type Session } from './store.ts';

/** Treatment of sessions that another transaction has locked. */
export type Lock = 'wait' | 'skip';

/** A session, and whether its user has a webhook endpoint, which saves callbacks a statement. */
export type LockedSession = Session & { has_endpoints: boolean };

/** Locks sessions until the transaction ends, in the order of their ids. */
export async function lockSessions(trx: Db, changes: { id: string }[], lock: Lock): Promise<LockedSession[]> {
  const ids = [...new Set(changes.map(({ id }) => id))];
  const { rows } = await sql<LockedSession>`
    -- prepared: lock_sessions_${sql.raw(lock)}
    select ${SESSION_COLUMNS}, exists (
      select from webhook_endpoints as endpoint where endpoint.user_id = sessions.user_id and endpoint.is_active
    ) as has_endpoints
    from sessions where id = any(${ids}::uuid[])
    order by id for update ${sql.raw(lock === 'skip' ? 'skip locked' : '')}`.execute(trx);
  return rows;
}

/** The names of a phone's SIP dialog, and of its call in the bridge. */
export interface SipDialog {
  sip_call_id: string | null;
  bridge_call_id: string | null;
}

/** The columns of a session's state, with their types. */
const STATE_COLUMNS = {
  status: 'text',
  call_status: 'text',
  started_at: 'timestamptz',
  ended_at: 'timestamptz',
  duration: 'double precision',
  end_reason: 'text',
  sip_status_code: 'integer',
  trunks: 'jsonb',
  transferred_to: 'text',
  transfer_type: 'text',
  transfer_timestamp: 'timestamptz',
  updated_at: 'timestamptz',
  last_event: 'bigint',
} as const satisfies Partial<Record<keyof Session, string>>;
const STATE_NAMES = Object.keys(STATE_COLUMNS) as (keyof typeof STATE_COLUMNS)[];
const STATE_ROW = sql.raw(
  [
    'id uuid',
    ...STATE_NAMES.map((name) => `${name} ${STATE_COLUMNS[name]}`),
    'sip_call_id text, bridge_call_id text',
  ].join(),
);
const SET_STATE = sql.raw(STATE_NAMES.map((name) => `${name} = next.${name}`).join());

/**
 * Writes the states of locked sessions, and an entry of the timeline for each. A session that changed twice is listed
 * twice; its last state is written.
 */
export async function saveStates(trx: Db, states: (Session & Partial<SipDialog>)[]): Promise<void> {
  const rows = [...new Map(states.map((state) => [state.id, state])).values()].map(columnsOf);
  const events = states.map(({ id: session_id, last_event: seq, status, call_status, updated_at: created_at }) => ({
    id: newId(),
    session_id,
    seq,
    status,
    call_status,
    created_at,
  }));
  await sql`
    -- prepared: save_states
    with changed as (
      update sessions set
        ${SET_STATE},
        ${setDialog('next')}
      from json_to_recordset(${JSON.stringify(rows)}::text::json) as next (${STATE_ROW})
      where sessions.id = next.id and sessions.id = any(${rows.map(({ id }) => id)}::uuid[])
    )
    insert into session_events (id, session_id, seq, status, call_status, created_at)
    select id, session_id, seq, status, call_status, created_at
    from json_populate_recordset(null::session_events, ${JSON.stringify(events)}::text::json)`.execute(trx);
}

function columnsOf(session: Session & Partial<SipDialog>) {
  const { id, sip_call_id, bridge_call_id, erased_at } = session;
  const state = Object.fromEntries(STATE_NAMES.map((name) => [name, session[name]]));
  return { id, ...state, ...(erased_at === null && { sip_call_id, bridge_call_id }) };
}

/** The agent's worker has joined the room of a session. */
export interface AgentJoin {
  id: string;
  at: Date;
}

/** Records when agents' workers joined the rooms of sessions, the first time. */
export async function markAgentsJoined(db: Db, joins: AgentJoin[]): Promise<void> {
  const first = new Map(joins.toReversed().map(({ id, at }) => [id, at.toISOString()]));
  const ids = [...first.keys()];
  await sql`
    -- prepared: mark_agents_joined
    with locked as (select id from sessions where id = any(${ids}::uuid[]) and agent_joined_at is null order by id for update)
    update sessions set agent_joined_at = asked.at
    from locked join unnest(${ids}::uuid[], ${[...first.values()]}::timestamptz[]) as asked (id, at) on asked.id = locked.id
    where sessions.id = locked.id`.execute(db);
}

/** The names of a phone in the room of a call. */
export type SipIds = SipDialog & { room_name: string };

/** Those of an answered phone stay; a phone that one trunk has refused has another name on the next. */
const setDialog = (from: string) =>
  sql.raw(`
  sip_call_id = coalesce(sessions.sip_call_id, ${from}.sip_call_id),
  sip = case when ${from}.bridge_call_id is null or sessions.sip_call_id is not null then sessions.sip
    else coalesce(sessions.sip, '{}') || jsonb_build_object('bridge_call_id', ${from}.bridge_call_id) end`);

/**
 * Records the names of phones in the rooms of calls, the last ones of each room; not in sessions that an erasure has
 * taken meanwhile.
 */
export async function recordSipIds(db: Db, seen: SipIds[]): Promise<void> {
  const last = [...new Map(seen.map((one) => [one.room_name, one])).values()];
  if (last.length === 0) return;
  // Room by room, and then by the ids: otherwise PostgreSQL may read all sessions, of which few have no names.
  await sql`
    -- prepared: record_sip_ids
    with found as materialized (
      select called.id, input.sip_call_id, input.bridge_call_id
      from json_to_recordset(${JSON.stringify(last)}::text::json)
        as input (room_name text, sip_call_id text, bridge_call_id text)
      cross join lateral (
        select id from sessions where sessions.room_name = input.room_name and call_status is not null
          and sessions.sip_call_id is null
          and (input.sip_call_id is not null or sip->>'bridge_call_id' is distinct from input.bridge_call_id)
        order by room_name limit 1
      ) as called
    ), locked as (
      select id from sessions where id = any(array(select id from found)) and erased_at is null order by id for update
    )
    update sessions set ${setDialog('found')} from found
    where sessions.id = found.id and sessions.id = any(array(select id from locked))`.execute(db);
}

/** Columns of new sessions, and their types. */
const NEW_COLUMNS = {
  id: 'uuid',
  room_name: 'text',
  user_id: 'text',
  agent_id: 'uuid',
  agent_version: 'integer',
  status: 'text',
  started_at: 'timestamptz',
  session_data: 'jsonb',
  session_data_bytes: 'integer',
  call_direction: 'text',
  call_status: 'text',
  outbound_phone_number: 'text',
  caller_number: 'text',
  caller_id: 'text',
  sip_call_id: 'text',
  our_number: 'text',
  callback_url: 'text',
  carrier_call_sid: 'text',
  sip: 'jsonb',
  variables: 'jsonb',
  metadata: 'jsonb',
  ringing_timeout_s: 'integer',
  max_duration_s: 'integer',
  record: 'boolean',
  privacy: 'jsonb',
  transcripts_until: 'timestamptz',
  recordings_until: 'timestamptz',
  metadata_until: 'timestamptz',
  dispatched_at: 'timestamptz',
  created_at: 'timestamptz',
  updated_at: 'timestamptz',
  last_event: 'bigint',
};
const NEW_NAMES = sql.raw(Object.keys(NEW_COLUMNS).join());
// JSON columns are passed as text.
const NEW_ROW = sql.raw(
  Object.entries(NEW_COLUMNS)
    .map(([name, type]) => `${name} ${type.replace('jsonb', 'text')}`)
    .join(),
);
const NEW_VALUES = sql.raw(
  Object.entries(NEW_COLUMNS)
    .map(([name, type]) => `input.${name}::${type}`)
    .join(),
);

export type NewSession = Pick<
  Insertable<Tables['sessions']>,
  Exclude<keyof typeof NEW_COLUMNS, 'session_data_bytes' | 'last_event'>
>;

/**
 * Inserts sessions and the first entry of their timelines, unless the room has a session. `event_id` is the entry's
 * id.
 */
export async function insertSessions(db: Db, sessions: (NewSession & { event_id: string })[]): Promise<Session[]> {
  const rows = sessions.map((row) => ({
    ...row,
    session_data_bytes: Buffer.byteLength(row.session_data),
    last_event: 1,
  }));
  const { rows: added } = await sql<Session>`
    -- prepared: insert_sessions
    with input as (
      select * from json_to_recordset(${JSON.stringify(rows)}::text::json) as input (${NEW_ROW}, event_id uuid)
    ), added as (
      insert into sessions (${NEW_NAMES}) select ${NEW_VALUES} from input
      on conflict (room_name) do nothing
      returning ${SESSION_COLUMNS}
    ), first_events as (
      insert into session_events (id, session_id, seq, status, call_status, created_at)
      select input.event_id, added.id, added.last_event, added.status, added.call_status, added.created_at
      from added join input on input.id = added.id
    )
    select * from added`.execute(db);
  return added;
}
