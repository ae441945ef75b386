import { type Insertable, type Selectable, sql, type Updateable } from 'kysely';
import type { Db, Tables } from '../../db/tables.ts';

export type Transfer = Selectable<Tables['transfers']>;
/** The end of a consultation, and why the caller gets the agent back. */
export type ConsultationEnd = { verdict: 'connect'; reason: null } | { verdict: 'return'; reason: string };

/** Begins a transfer. The caller holds the session's lock and has checked that no other is in progress. */
export function insertTransfer(db: Db, transfer: Insertable<Tables['transfers']>): Promise<Transfer> {
  return db.insertInto('transfers').values(transfer).returningAll().executeTakeFirstOrThrow();
}

/** Changes a transfer in the state `from`; undefined if it is in another. */
export function moveTransfer(
  db: Db,
  id: string,
  from: Transfer['status'],
  change: Updateable<Tables['transfers']>,
): Promise<Transfer | undefined> {
  return db
    .updateTable('transfers')
    .set(change)
    .where('id', '=', id)
    .where('status', '=', from)
    .returningAll()
    .executeTakeFirst();
}

/** The transfers of these sessions that are in progress, or whose target may be in the room or is not billed yet. */
export function findUnfinishedTransfers(db: Db, session_ids: string[]): Promise<Transfer[]> {
  return db
    .selectFrom('transfers')
    .selectAll()
    .where('session_id', 'in', session_ids)
    .where((row) =>
      row.or([
        row('status', 'in', ['pending', 'connected']),
        row.and([row('transfer_type', '=', 'WARM'), row('phones', '>', 0)]),
        row.and([row('answered_at', 'is not', null), row('line_ended_at', 'is', null)]),
      ]),
    )
    .execute();
}

/** Records the end of the line of a target that has answered. */
export async function endLine(db: Db, id: string, line_ended_at: Date): Promise<void> {
  await db.updateTable('transfers').set({ line_ended_at }).where('id', '=', id).execute();
}

/** Records the late answer of a target; false if its answer is already known. */
export async function markLateAnswer(db: Db, id: string, at: Date): Promise<boolean> {
  const changed = await db
    .updateTable('transfers')
    .set({ answered_at: at, line_ended_at: at })
    .where('id', '=', id)
    .where('answered_at', 'is', null)
    .returning('id')
    .executeTakeFirst();
  return changed !== undefined;
}

/** Stops counting the phones of a transfer as calls of its user. */
export async function releasePhones(db: Db, transfer_id: string): Promise<void> {
  await db.updateTable('transfers').set({ phones: 0 }).where('id', '=', transfer_id).execute();
}

/** The number of transfers of a session, attempts included, and of targets that may be in its room. */
export function countTransfers(db: Db, session_id: string, now: Date): Promise<{ attempts: number; targets: number }> {
  return db
    .selectFrom('transfers')
    .select((row) => [
      row.fn.countAll<number>().as('attempts'),
      row.fn
        .countAll<number>()
        .filterWhere('transfer_type', '=', 'WARM')
        .filterWhere('phones', '>', 0)
        .filterWhere('counted_until', '>', now)
        .as('targets'),
    ])
    .where('session_id', '=', session_id)
    .executeTakeFirstOrThrow();
}

/** The transfer of a session that is in progress, if any. */
export function findTransferInProgress(db: Db, session_id: string): Promise<Transfer | undefined> {
  return db
    .selectFrom('transfers')
    .selectAll()
    .where('session_id', '=', session_id)
    .where('status', 'in', ['pending', 'connected'])
    .executeTakeFirst();
}

/** The same for each of these sessions, by session. */
export async function findTransfersInProgress(db: Db, session_ids: string[]): Promise<Transfer[]> {
  const { rows } = await sql<Transfer>`
    -- prepared: find_transfers_in_progress
    select id, session_id, transfer_type, phone_number, status, reason, sip_status_code, user_id, phones, counted_until,
      answered_at, line_ended_at, is_fallback, is_attended, briefing, verdict, created_at, updated_at
    from transfers where session_id = any(${session_ids}::uuid[]) and status in ('pending', 'connected')`.execute(db);
  return rows;
}

/** Decides the end of a connected transfer; undefined if it is over, or its end was decided before. */
export function decideTransfer(db: Db, id: string, decided: ConsultationEnd): Promise<Transfer | undefined> {
  return db
    .updateTable('transfers')
    .set(decided)
    .where('id', '=', id)
    .where('status', '=', 'connected')
    .where('verdict', 'is', null)
    .returningAll()
    .executeTakeFirst();
}

export function findTransfer(db: Db, id: string): Promise<Transfer | undefined> {
  return db.selectFrom('transfers').selectAll().where('id', '=', id).executeTakeFirst();
}

/** Whether the target of a transfer has answered, whatever became of it since. */
export async function hasAnswered(db: Db, { id }: Transfer): Promise<boolean> {
  const transfer = await findTransfer(db, id);
  return transfer !== undefined && transfer.answered_at !== null;
}

export function listTransfers(db: Db, session_id: string): Promise<Transfer[]> {
  return db.selectFrom('transfers').selectAll().where('session_id', '=', session_id).orderBy('id').execute();
}

/** Transfers that have been pending since before `before`: their process is gone. And all consultations. */
export function listStaleTransfers(db: Db, before: Date): Promise<Transfer[]> {
  return db
    .selectFrom('transfers')
    .selectAll()
    .where('status', 'in', ['pending', 'connected'])
    .where((row) =>
      row.or([
        row.and([row('status', '=', 'pending'), row('updated_at', '<', before)]),
        row.and([row('status', '=', 'connected'), row('is_attended', '=', true)]),
      ]),
    )
    .execute();
}

export async function deleteTransfersOf(db: Db, session_ids: string[]): Promise<void> {
  if (session_ids.length > 0) await db.deleteFrom('transfers').where('session_id', 'in', session_ids).execute();
}
