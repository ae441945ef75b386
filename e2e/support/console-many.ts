import { sql } from 'kysely';
import type { Database } from '../../packages/server/src/db/database.ts';

/** Calls of a user as recorded by the service, one a second until now: too many to be placed one by one. */
export async function insertCalls(
  database: Database,
  user: string,
  count: number,
  state: 'open' | 'ended',
): Promise<void> {
  const isOpen = state === 'open';
  await sql`
    insert into sessions (id, room_name, user_id, agent_id, status, call_direction, call_status, outbound_phone_number,
      end_reason, session_data, started_at, ended_at, duration, created_at, updated_at)
    select id_from(at), ${user}::text || '-' || n, ${user}::text, (select id from agents where user_id = ${user}::text),
      ${isOpen ? 'ACTIVE' : 'COMPLETED'}::text, 'OUTBOUND', ${isOpen ? 'ANSWERED' : 'COMPLETED'}::text,
      '+1500' || (5550000 + n)::text, ${isOpen ? null : 'hangup'}::text, '{}', at, ${isOpen ? sql`null::timestamptz` : sql`at`},
      ${isOpen ? null : 0}::numeric, at, at
    from (select n, now() - interval '1 second' * (${count}::integer - n) as at from generate_series(1, ${count}::integer) as n) as made
  `.execute(database.db);
}
