import { type Insertable, sql } from 'kysely';
import type { Db, Tables } from '../../db/tables.ts';
import { SESSION_COLUMNS, type Session } from './store.ts';

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
  variables: 'jsonb',
  metadata: 'jsonb',
  ringing_timeout_s: 'integer',
  max_duration_s: 'integer',
  dispatched_at: 'timestamptz',
  created_at: 'timestamptz',
  updated_at: 'timestamptz',
  last_event: 'bigint',
};
const NEW_NAMES = sql.join(Object.keys(NEW_COLUMNS).map((column) => sql.ref(column)));
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
