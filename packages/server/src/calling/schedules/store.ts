import { type Selectable, sql, type Updateable } from 'kysely';
import { type Batch, type Deleted, deleteOld } from '../../db/retention-batches.ts';
import type { ScheduleStatus } from '../../db/schedule-tables.ts';
import type { Db, Tables } from '../../db/tables.ts';
import type { PageRequest } from '../../lib/page.ts';

export type ScheduledRow = Selectable<Tables['scheduled_calls']>;

export async function addScheduled(trx: Db, row: ScheduledRow): Promise<void> {
  await trx.insertInto('scheduled_calls').values(row).execute();
}

export function findScheduled(db: Db, id: string): Promise<ScheduledRow | undefined> {
  return db.selectFrom('scheduled_calls').selectAll().where('id', '=', id).executeTakeFirst();
}

/** Locked until the transaction ends. */
export function lockScheduled(trx: Db, id: string): Promise<ScheduledRow | undefined> {
  return trx.selectFrom('scheduled_calls').selectAll().where('id', '=', id).forUpdate().executeTakeFirst();
}

/** The same, unless another transaction has locked it: then undefined. */
export function claimScheduled(trx: Db, id: string): Promise<ScheduledRow | undefined> {
  const row = trx.selectFrom('scheduled_calls').selectAll().where('id', '=', id);
  return row.forUpdate().skipLocked().executeTakeFirst();
}

/** Changes one; returns it as it is then. */
export function updateScheduled(
  trx: Db,
  id: string,
  change: Updateable<Tables['scheduled_calls']>,
): Promise<ScheduledRow> {
  return trx.updateTable('scheduled_calls').set(change).where('id', '=', id).returningAll().executeTakeFirstOrThrow();
}

/** Blocks other bookings of the user until the transaction ends. */
export async function lockBookings(trx: Db, user_id: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`scheduled calls of ${user_id}`}, 0))`.execute(trx);
}

/** How many calls of the user wait for their time; counts up to `most`. */
export async function countScheduled(trx: Db, user_id: string, max: number): Promise<number> {
  const { rows } = await sql<{ waiting: number }>`
    select count(*)::int as waiting from (
      select from scheduled_calls where user_id = ${user_id} and status = 'SCHEDULED' limit ${max}
    ) as found`.execute(trx);
  return rows[0]?.waiting ?? 0;
}

export interface ScheduledFilter {
  status?: ScheduleStatus | undefined;
  phone_number?: string | undefined;
}

/** Newest first, without proposals; up to `limit` plus one. */
export function listScheduled(
  db: Db,
  user_id: string,
  { status, phone_number }: ScheduledFilter,
  { limit, after }: PageRequest,
) {
  let query = db.selectFrom('scheduled_calls').selectAll().where('user_id', '=', user_id);
  query = status === undefined ? query.where('status', '<>', 'PROPOSED') : query.where('status', '=', status);
  if (phone_number !== undefined) query = query.where('phone_number', '=', phone_number);
  if (after !== null) query = query.where('id', '<', after);
  return query
    .orderBy('id', 'desc')
    .limit(limit + 1)
    .execute();
}

/** Calls that agents have booked, or proposed, in a conversation; locked until the transaction ends. */
export function lockBookedIn(trx: Db, session_id: string, status: ScheduleStatus): Promise<ScheduledRow[]> {
  return trx
    .selectFrom('scheduled_calls')
    .selectAll()
    .where('booked_in', '=', session_id)
    .where('status', '=', status)
    .orderBy('id')
    .forUpdate()
    .execute();
}

export async function deleteScheduled(trx: Db, ids: string[]): Promise<void> {
  if (ids.length > 0) await trx.deleteFrom('scheduled_calls').where('id', 'in', ids).execute();
}

/** Deletes up to `limit` of a user; returns their ids. */
export async function deleteSomeOfUser(db: Db, user_id: string, limit: number): Promise<string[]> {
  const some = db.selectFrom('scheduled_calls').select('id').where('user_id', '=', user_id).orderBy('id').limit(limit);
  const rows = await db.deleteFrom('scheduled_calls').where('id', 'in', some).returning('id').execute();
  return rows.map(({ id }) => id);
}

/** Deletes a batch of the proposals. */
export function deleteOldProposals(db: Db, batch: Batch): Promise<Deleted> {
  return deleteOld(db, { table: 'scheduled_calls', id: 'id', where: sql<boolean>`status = 'PROPOSED'` }, batch);
}

/** Deletes a batch of those that do not wait, by the time of their end, but none under a legal hold. */
export function deleteOldScheduled(db: Db, batch: Batch): Promise<Deleted> {
  const where = sql<boolean>`status <> 'SCHEDULED'`;
  const of = { user: 'user_id', agent: 'agent_id' };
  return deleteOld(db, { table: 'scheduled_calls', id: 'id', at: 'updated_at', of, where }, batch);
}
