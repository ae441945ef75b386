import { type Selectable, sql } from 'kysely';
import type { Db, FailedOver, Tables } from '../../db/tables.ts';
import type { Session } from './store.ts';

/**
 * Adds an entry to the timeline of a locked session, in which its state stays; whether it did. A known id is ignored,
 * and so is an entry beyond `limit`.
 */
export async function addFailover(
  trx: Db,
  { id: session_id }: Session,
  { id, at, over }: { id: string; at: Date; over: FailedOver },
  limit: number,
): Promise<boolean> {
  const { rows } = await sql`
    with added as (
      insert into session_events (id, session_id, seq, status, call_status, created_at, failed_over)
      select ${id}::uuid, id, last_event + 1, status, call_status, ${at.toISOString()}::timestamptz,
        ${JSON.stringify(over)}::jsonb
      from sessions where id = ${session_id}::uuid and ${limit}::integer > (
        select count(*) from session_events where session_id = sessions.id and failed_over is not null
      )
      on conflict (id) do nothing returning session_id, seq
    )
    update sessions set last_event = added.seq from added where sessions.id = added.session_id
    returning sessions.id`.execute(trx);
  return rows.length > 0;
}

/**
 * In the order of their numbers, which is that of the events; ids follow clocks. Entries from before the numbering
 * have 0.
 */
export function listTimeline(db: Db, session_id: string): Promise<Selectable<Tables['session_events']>[]> {
  return db
    .selectFrom('session_events')
    .selectAll()
    .where('session_id', '=', session_id)
    .orderBy('seq')
    .orderBy('id')
    .execute();
}
