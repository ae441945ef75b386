import { sql } from 'kysely';
import { type Batch, type Deleted, deleteOld } from '../../db/retention-batches.ts';
import type { Db } from '../../db/tables.ts';

/** Events whose bodies are written once everything that belongs to their session is there: one of each session. */
export type ReportType = 'call.report' | 'chat.ended';

/** A session whose report is due. */
export interface DueReport {
  session_id: string;
  type: ReportType;
  /** When the session was ended, by our clock. */
  ended_at: Date;
}

/** Sessions whose reports are due and have no body yet, longest waiting first. */
export async function listDueReports(db: Db, now: Date, limit: number): Promise<DueReport[]> {
  const { rows } = await sql<DueReport>`
    select distinct session_id, type, created_at as ended_at from (
      select session_id, type, created_at from callbacks
      where status = 'pending' and payload is null and next_attempt_at <= ${now.toISOString()}::timestamptz
      order by next_attempt_at limit ${limit}
    ) as due`.execute(db);
  return rows;
}

/** Writes the body of a report and queues it. If another process was faster, its body stays. */
export async function completeReport(db: Db, session_id: string, payload: string, at: Date): Promise<void> {
  await db
    .updateTable('callbacks')
    .set({ payload, next_attempt_at: at, send_at: sql<Date>`now()`, updated_at: at })
    .where('id', 'in', pendingReports(db, session_id))
    .execute();
}

export async function postponeReport(db: Db, session_id: string, until: Date): Promise<void> {
  await db
    .updateTable('callbacks')
    .set({ next_attempt_at: until })
    .where('id', 'in', pendingReports(db, session_id))
    .execute();
}

/** Locked in the order of their ids, like all callbacks; reports that got a body meanwhile are skipped. */
function pendingReports(db: Db, session_id: string) {
  return db
    .selectFrom('callbacks')
    .select('id')
    .where('session_id', '=', session_id)
    .where('status', '=', 'pending')
    .where('payload', 'is', null)
    .orderBy('id')
    .forUpdate();
}

/**
 * Deletes a batch of the callbacks that quote what was said, delivered or not, but none under a legal hold, and none
 * that has not been written yet.
 */
export function deleteOldReports(db: Db, batch: Batch): Promise<Deleted> {
  const where = sql<boolean>`type in ('call.report', 'call.analyzed', 'call.digits') and
    (status != 'pending' or payload is not null)`;
  return deleteOld(db, { table: 'callbacks', id: 'id', of: { session: 'session_id' }, where }, batch);
}
