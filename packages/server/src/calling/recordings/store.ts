import { type Insertable, type Selectable, sql, type Updateable } from 'kysely';
import { type Batch, listOld, type OldRows } from '../../db/retention-batches.ts';
import type { Db, Tables } from '../../db/tables.ts';

export type RecordingRow = Selectable<Tables['recordings']>;
export type SegmentRow = Selectable<Tables['recording_segments']>;
export type LevelsRow = Selectable<Tables['recording_levels']>;

export function findRecording(db: Db, id: string): Promise<RecordingRow | undefined> {
  return db.selectFrom('recordings').selectAll().where('id', '=', id).executeTakeFirst();
}

export function lockRecording(trx: Db, id: string): Promise<RecordingRow | undefined> {
  return trx.selectFrom('recordings').selectAll().where('id', '=', id).forUpdate().executeTakeFirst();
}

/** Locks its session before it, as an erasure does: an event of the session is queued in the same transaction. */
export async function lockWithSession(trx: Db, id: string): Promise<RecordingRow | undefined> {
  const own = trx.selectFrom('recordings').select('session_id').where('id', '=', id);
  await trx.selectFrom('sessions').select('id').where('id', '=', own).forKeyShare().execute();
  return lockRecording(trx, id);
}

export function listRecordings(db: Db, session_id: string): Promise<RecordingRow[]> {
  return db
    .selectFrom('recordings')
    .selectAll()
    .where('session_id', '=', session_id)
    .orderBy('created_at')
    .orderBy('id')
    .execute();
}

/** Adds a recording unless it exists. Nothing is added to an erased session. */
export async function insertRecording(trx: Db, row: Omit<Insertable<Tables['recordings']>, 'user_id'>): Promise<void> {
  const owner = await trx
    .selectFrom('sessions')
    .select('user_id')
    .where('id', '=', row.session_id)
    .where('erased_at', 'is', null)
    .forKeyShare()
    .executeTakeFirst();
  if (!owner) return;
  await trx
    .insertInto('recordings')
    .values({ ...row, user_id: owner.user_id })
    .onConflict((conflict) => conflict.column('id').doNothing())
    .execute();
}

export async function updateRecording(trx: Db, id: string, change: Updateable<Tables['recordings']>): Promise<void> {
  await trx.updateTable('recordings').set(change).where('id', '=', id).execute();
}

/** Whether it is new. */
export async function insertSegment(trx: Db, segment: SegmentRow): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await trx
    .insertInto('recording_segments')
    .values(segment)
    .onConflict((conflict) => conflict.columns(['recording_id', 'seq']).doNothing())
    .executeTakeFirst();
  return Number(numInsertedOrUpdatedRows) > 0;
}

/** Keeps the levels of a segment, once. */
export async function insertLevels(trx: Db, row: LevelsRow): Promise<void> {
  const insert = trx.insertInto('recording_levels').values(row);
  await insert.onConflict((conflict) => conflict.columns(['recording_id', 'seq']).doNothing()).execute();
}

export function listLevels(db: Db, recording_id: string): Promise<LevelsRow[]> {
  const query = db.selectFrom('recording_levels').selectAll().where('recording_id', '=', recording_id);
  return query.orderBy('seq').execute();
}

export async function deleteLevels(trx: Db, recording_id: string): Promise<void> {
  await trx.deleteFrom('recording_levels').where('recording_id', '=', recording_id).execute();
}

/** The segments that are not verified yet, in order. */
export function listSegments(db: Db, recording_id: string): Promise<SegmentRow[]> {
  return db
    .selectFrom('recording_segments')
    .selectAll()
    .where('recording_id', '=', recording_id)
    .orderBy('seq')
    .execute();
}

export function findSegment(db: Db, recording_id: string, seq: number): Promise<SegmentRow | undefined> {
  const query = db.selectFrom('recording_segments').selectAll();
  return query.where('recording_id', '=', recording_id).where('seq', '=', seq).executeTakeFirst();
}

export async function countSegments(db: Db, recording_id: string): Promise<number> {
  const query = db.selectFrom('recording_segments').select(({ fn }) => fn.countAll<number>().as('count'));
  const found = await query.where('recording_id', '=', recording_id).executeTakeFirstOrThrow();
  return Number(found.count);
}

export async function deleteSegments(trx: Db, recording_id: string): Promise<void> {
  await trx.deleteFrom('recording_segments').where('recording_id', '=', recording_id).execute();
}

/** Open recordings that nothing has changed since `quiet`, of calls that ended before it. */
export async function listLeft(db: Db, quiet: Date, limit: number): Promise<string[]> {
  const found = await db
    .selectFrom('recordings')
    .innerJoin('sessions', 'sessions.id', 'recordings.session_id')
    .select('recordings.id')
    .where(sql<boolean>`recordings.state in ('waiting_for_consent', 'recording', 'uploading')`)
    .where('recordings.updated_at', '<', quiet)
    .where('sessions.ended_at', '<', quiet)
    .orderBy('recordings.updated_at')
    .limit(limit)
    .execute();
  return found.map(({ id }) => id);
}

/** The recordings, by the time of their beginning, of a batch of them that no legal hold keeps. */
export function listOlder(trx: Db, batch: Batch): Promise<OldRows> {
  return listOld(trx, { table: 'recordings', id: 'id', at: 'created_at', of: { session: 'session_id' } }, batch);
}

/** Up to `limit` recordings of the user, including deleted ones, whose audio a storage may have refused to delete. */
export async function listOfUser(db: Db, user_id: string, limit: number): Promise<string[]> {
  const query = db.selectFrom('recordings').select('id').where('user_id', '=', user_id);
  const found = await query.orderBy('id').limit(limit).execute();
  return found.map(({ id }) => id);
}

export async function deleteRecordings(db: Db, ids: string[]): Promise<number> {
  if (ids.length === 0) return 0;
  const { numDeletedRows } = await db.deleteFrom('recordings').where('id', 'in', ids).executeTakeFirst();
  return Number(numDeletedRows);
}

/** Deletes the recordings of sessions; returns the ids. */
export async function deleteRecordingsOf(trx: Db, session_ids: string[]): Promise<string[]> {
  if (session_ids.length === 0) return [];
  const query = trx.deleteFrom('recordings').where('session_id', 'in', session_ids).returning('id');
  return (await query.execute()).map(({ id }) => id);
}
