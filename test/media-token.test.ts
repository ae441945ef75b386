import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createAgent, placeCall, reaches, USER } from './support/calls.ts';
import { startService } from './support/service.ts';

const service = await startService();

async function openSession(user_id = USER) {
  return (await service.request('POST', '/api/sessions/', { body: { user_id } })).body;
}

test('a user gets a token for the room of a live session, short-lived and with an identity of its own each time', async () => {
  const session = await openSession();
  const first = await service.request('POST', '/api/media/token', { user: USER, body: { session_id: session.id } });
  assert.equal(first.status, 201);
  assert.equal(first.body.room_name, session.room_name);
  const left = Date.parse(first.body.expires_at) - Date.now();
  assert.ok(left > 0 && left <= 600_000);
  const second = await service.request('POST', '/api/media/token', { user: USER, body: { session_id: session.id } });
  assert.notEqual(first.body.identity, second.body.identity);
});

test('sessions of others, unknown ones and malformed ids get none', async () => {
  const foreign = await openSession('somebody-else');
  for (const session_id of [foreign.id, '01980000-0000-7000-8000-000000000000', 'nonsense']) {
    const { status, body } = await service.request('POST', '/api/media/token', { user: USER, body: { session_id } });
    assert.deepEqual([status, body.code], [404, 'not_found']);
  }
});

test('an ended session gives no token', async () => {
  const { call_id } = await placeCall(service, '+15005550001', { agent_id: await createAgent(service) });
  await reaches(service, call_id, 'FAILED');
  const { status, body } = await service.request('POST', '/api/media/token', {
    user: USER,
    body: { session_id: call_id },
  });
  assert.deepEqual([status, body.code], [409, 'session_over']);
});

test('without a user it is a 401, with a bad body a 422', async () => {
  const { id } = await openSession();
  assert.equal((await service.request('POST', '/api/media/token', { body: { session_id: id } })).status, 401);
  const bad = await service.request('POST', '/api/media/token', { user: USER, body: { session_id: 5, room: 'x' } });
  assert.deepEqual(bad.body.detail.map((problem: { type: string }) => problem.type).sort(), [
    'extra_forbidden',
    'string_type',
  ]);
});
