import { sql } from 'kysely';
import { isHeld } from '../../db/legal-holds.ts';
import { KEPT, type Kept } from '../../db/privacy-tables.ts';
import { type Batch, listOld, type OldRows } from '../../db/retention-batches.ts';
import type { Db } from '../../db/tables.ts';

/**
 * A batch of the sessions whose data of this kind is past what their agent or user keeps, but none under a legal hold,
 * locked until the transaction ends; in the order of their ids, to avoid deadlocks. None whose worker may still report.
 * `again` are those whose data of this kind was deleted before, and written once more.
 */
export async function lockExpired(
  trx: Db,
  kind: Kept,
  ended_before: Date,
  batch: Batch,
): Promise<OldRows & { again: Set<string> }> {
  const where = sql<boolean>`status in ('COMPLETED', 'FAILED') and ended_at < ${ended_before.toISOString()}::timestamptz`;
  const of = { user: 'user_id', agent: 'agent_id' };
  const { ids, next } = await listOld(trx, { table: 'sessions', id: 'id', at: `${kind}_until`, of, where }, batch);
  const rows = await trx
    .selectFrom('sessions')
    .select(['id', 'metadata_deleted'])
    .where('id', '=', sql<string>`any(${ids}::uuid[])`)
    .orderBy('id')
    .forUpdate()
    .execute();
  const again = rows.flatMap(({ id, metadata_deleted }) => (kind === 'metadata' && metadata_deleted ? id : []));
  return { ids: rows.map(({ id }) => id), next, again: new Set(again) };
}

/** The sessions whose data of this kind is past what its agent or its user keeps, and under a legal hold. */
export async function countHeldBack(db: Db, kind: Kept, now: Date): Promise<number> {
  const until = sql.ref(`${kind}_until`);
  const { rows } = await sql<{ count: number }>`
    select count(*)::integer as count from sessions
    where ${until} <= ${now.toISOString()}::timestamptz and ${isHeld('sessions.user_id', 'sessions.agent_id')}`.execute(
    db,
  );
  return rows[0]?.count ?? 0;
}

/** When the data of an existing session is deleted. */
export function findUntil(db: Db, id: string): Promise<Record<`${Kept}_until`, Date | null>> {
  const query = db.selectFrom('sessions').select(KEPT.map((kind) => `${kind}_until` as const));
  return query.where('id', '=', id).executeTakeFirstOrThrow();
}

/** Records that the data is deleted, and deletes it if it is a session's own. */
export async function setExpired(trx: Db, kind: Kept, ids: string[]): Promise<void> {
  const data = { session_data: '{}', session_data_bytes: 2, variables: null, metadata: null };
  const headers = { sip: sql<string>`sip - 'headers_in' - 'headers_out'` };
  const own = kind === 'metadata' ? { ...data, ...headers, metadata_deleted: true } : {};
  await trx
    .updateTable('sessions')
    .set({ ...own, [`${kind}_until`]: null })
    .where('id', 'in', ids)
    .execute();
}

/** Has the next round delete what is written to a session whose metadata was deleted before. */
export async function expireAgain(trx: Db, id: string, now: Date): Promise<void> {
  const again = trx.updateTable('sessions').set({ metadata_until: now });
  await again.where('id', '=', id).where('metadata_deleted', '=', true).execute();
}
