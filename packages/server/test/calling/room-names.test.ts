import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ask } from '../support/principals.ts';

const open = (who: string, body: object) => ask(who, 'POST', '/api/sessions/', { body: { user_id: 'owner', ...body } });

test('a user’s own key or token may not choose the room’s name, and gets no token for that room', async () => {
  for (const who of ['owner', 'owner by JWT']) {
    const { status, body } = await open(who, { room_name: 'room-of-another-application' });
    assert.deepEqual([status, body.code], [403, 'role_not_allowed']);
    assert.match(body.detail, /role worker, service or admin/);
  }
  assert.equal((await ask('service', 'GET', '/api/sessions/by-room/room-of-another-application')).status, 404);
});

test('for a user’s own key or token the service names the room', async () => {
  for (const who of ['owner', 'owner by JWT']) {
    const { status, body } = await open(who, {});
    assert.equal(status, 201);
    assert.match(body.room_name, /^room-[0-9a-f-]{36}$/);
    const token = await ask(who, 'POST', '/api/media/token', { body: { session_id: body.id } });
    assert.deepEqual([token.status, token.body.room_name], [201, body.room_name]);
  }
});

test('worker and service keys may choose a room’s name, and its user can open it again with its own key', async () => {
  for (const who of ['worker', 'service']) {
    const room_name = `chosen-by-${who}`;
    const first = await open(who, { room_name });
    assert.deepEqual([first.status, first.body.room_name], [201, room_name]);
    const again = await open('owner', { room_name });
    assert.deepEqual([again.status, again.body.id], [201, first.body.id]);
  }
});

test('a user cannot find out whether another user has a room of a given name', async () => {
  await open('worker', { room_name: 'taken' });
  const asOther = (room_name: string) =>
    ask('other user', 'POST', '/api/sessions/', { body: { user_id: 'other', room_name } });
  const [taken, free] = [await asOther('taken'), await asOther('free')];
  assert.deepEqual([taken.status, taken.body], [free.status, free.body]);
  assert.equal(free.status, 403);
});
