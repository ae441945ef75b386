import { sql } from 'kysely';
import { isHeld } from '../../db/legal-holds.ts';
import type { Kept } from '../../db/privacy-tables.ts';
import type { Db } from '../../db/tables.ts';

/**
 * Sessions whose data of this kind is past its agent's retention, locked until the transaction ends; in the order of
 * their ids, to avoid deadlocks. None whose worker may still report.
 */
export async function lockExpired(
  trx: Db,
  kind: Kept,
  now: Date,
  ended_before: Date,
  limit: number,
): Promise<string[]> {
  const until = sql.ref(`${kind}_until`);
  const { rows } = await sql<{ id: string }>`
    select id from sessions where id = any (array(
      select id from sessions where ${until} <= ${now.toISOString()}::timestamptz
        and status in ('COMPLETED', 'FAILED') and ended_at < ${ended_before.toISOString()}::timestamptz
        and not ${isHeld('sessions.user_id', 'sessions.agent_id')}
      order by ${until}, id limit ${limit}::integer
    )) order by id for update`.execute(trx);
  return rows.map(({ id }) => id);
}

/** The sessions whose data of this kind is past its agent's retention, and under a legal hold. */
export async function countHeldBack(db: Db, kind: Kept, now: Date): Promise<number> {
  const until = sql.ref(`${kind}_until`);
  const { rows } = await sql<{ count: number }>`
    select count(*)::integer as count from sessions
    where ${until} <= ${now.toISOString()}::timestamptz and ${isHeld('sessions.user_id', 'sessions.agent_id')}`.execute(
    db,
  );
  return rows[0]?.count ?? 0;
}

/** Records that the data is deleted, and deletes it if it is a session's own. */
export async function setExpired(trx: Db, kind: Kept, ids: string[]): Promise<void> {
  const data = { session_data: '{}', session_data_bytes: 2, variables: null, metadata: null };
  const own = kind === 'metadata' ? { ...data, sip: sql<string>`sip - 'headers_in' - 'headers_out'` } : {};
  await trx
    .updateTable('sessions')
    .set({ ...own, [`${kind}_until`]: null })
    .where('id', 'in', ids)
    .execute();
}
