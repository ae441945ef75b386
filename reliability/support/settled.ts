import assert from 'node:assert/strict';
import type { Db } from '../../packages/server/src/db/tables.ts';
import type { Media } from '../../packages/server/src/providers/media.ts';

/**
 * Fails unless every call has been answered or has ended, its timeline and its callbacks agree, and no ended call
 * has a room.
 */
export async function assertSettled(db: Db, media: Media): Promise<void> {
  const sessions = await db.selectFrom('sessions').selectAll().execute();
  const rooms = await media.listRooms();
  for (const { id, status, call_status, room_name, callback_url } of sessions) {
    assert.notEqual(call_status, 'RINGING', room_name);
    const isOver = status === 'COMPLETED' || status === 'FAILED';
    assert.equal(rooms.has(room_name), !isOver, `${call_status}, and its room ${isOver ? 'is left' : 'is gone'}`);
    const states = await statesOf(db, id);
    assert.deepEqual(states.at(-1), call_status);
    if (callback_url === null) continue;
    const expected = states.slice(1).map((state) => `call.${state?.toLowerCase()}`);
    assert.deepEqual(await callbacksOf(db, id), expected);
  }
  const pending = await db.selectFrom('transfers').select('id').where('status', '=', 'pending').execute();
  assert.deepEqual(pending, []);
}

/** Each `call_status` of the timeline, in its order. */
async function statesOf(db: Db, session_id: string) {
  const events = await db
    .selectFrom('session_events')
    .select('call_status')
    .where('session_id', '=', session_id)
    .orderBy('id')
    .execute();
  return events.map(({ call_status }) => call_status);
}

/** Types of the callbacks about changes of the call, in their order. */
async function callbacksOf(db: Db, session_id: string): Promise<string[]> {
  const callbacks = await db
    .selectFrom('callbacks')
    .select('type')
    .where('session_id', '=', session_id)
    .orderBy('id')
    .execute();
  return callbacks.map(({ type }) => type).filter((type) => !/^call\.(transfer|report)/.test(type));
}
