import type { Db } from '../db/tables.ts';

/** Stores an event as it came; false when it is stored already. */
export async function insertMediaEvent(
  db: Db,
  event: { id: string; body: string; room_name: string | null; received_at: Date },
): Promise<boolean> {
  const result = await db
    .insertInto('media_events')
    .values(event)
    .onConflict((conflict) => conflict.column('id').doNothing())
    .executeTakeFirst();
  return result.numInsertedOrUpdatedRows === 1n;
}

/** Without `keepBody` only the id is kept, to know the event again, and whose room it was; the body names people. */
export async function markHandled(db: Db, id: string, handled_at: Date, keepBody: boolean): Promise<void> {
  await db
    .updateTable('media_events')
    .set({ handled_at, ...(!keepBody && { body: '' }) })
    .where('id', '=', id)
    .execute();
}

/** Events stored before `before` and not acted on, oldest first. */
export function listUnhandled(
  db: Db,
  before: Date,
  limit: number,
): Promise<{ id: string; body: string; received_at: Date }[]> {
  return db
    .selectFrom('media_events')
    .select(['id', 'body', 'received_at'])
    .where('handled_at', 'is', null)
    .where('received_at', '<', before)
    .orderBy('received_at')
    .limit(limit)
    .execute();
}

export async function countUnhandled(db: Db): Promise<number> {
  const { count } = await db
    .selectFrom('media_events')
    .select((row) => row.fn.countAll<number>().as('count'))
    .where('handled_at', 'is', null)
    .executeTakeFirstOrThrow();
  return count;
}

/** Deletes the events of these rooms. */
export async function deleteOfRooms(db: Db, room_names: string[]): Promise<void> {
  if (room_names.length > 0) await db.deleteFrom('media_events').where('room_name', 'in', room_names).execute();
}

/** Deletes events acted on before `before`; their ids are then no longer known as duplicates. */
export async function deleteHandled(db: Db, before: Date): Promise<void> {
  await db.deleteFrom('media_events').where('handled_at', '<', before).execute();
}
