import assert from 'node:assert/strict';
import { test } from 'node:test';
import { answeredCall, createAgent, placeCall, reaches, USER } from '@switchboard/testkit/calls.ts';
import { createTestClock } from '@switchboard/testkit/clock.ts';
import { startService } from '@switchboard/testkit/service.ts';
import { readJob, watchRooms } from '@switchboard/testkit/worker-jobs.ts';
import { systemClock } from '../../src/lib/clock.ts';
import { ProviderError } from '../../src/providers/provider-error.ts';
import { createSandboxMedia } from '../../src/providers/sandbox/media.ts';

const service = await startService();

async function openSession(user_id = USER) {
  return (await service.request('POST', '/api/sessions/', { body: { user_id } })).body;
}

test('a user gets a short-lived token for the room of a live session, each with a new identity', async () => {
  const session = await openSession();
  const first = await service.request('POST', '/api/media/token', { user: USER, body: { session_id: session.id } });
  assert.equal(first.status, 201);
  assert.equal(first.body.room_name, session.room_name);
  const left = Date.parse(first.body.expires_at) - Date.now();
  assert.ok(left > 0 && left <= 600_000);
  const second = await service.request('POST', '/api/media/token', { user: USER, body: { session_id: session.id } });
  assert.notEqual(first.body.identity, second.body.identity);
});

test('other users’, unknown and malformed sessions get no token', async () => {
  const foreign = await openSession('somebody-else');
  for (const session_id of [foreign.id, '01980000-0000-7000-8000-000000000000', 'nonsense']) {
    const { status, body } = await service.request('POST', '/api/media/token', { user: USER, body: { session_id } });
    assert.deepEqual([status, body.code], [404, 'not_found']);
  }
});

test('an ended session gets no token', async () => {
  const { call_id } = await placeCall(service, '+15005550001', { agent_id: await createAgent(service) });
  await reaches(service, call_id, 'FAILED');
  const { status, body } = await service.request('POST', '/api/media/token', {
    user: USER,
    body: { session_id: call_id },
  });
  assert.deepEqual([status, body.code], [409, 'session_over']);
});

test('a token request without a user is a 401, with a bad body a 422', async () => {
  const { id } = await openSession();
  assert.equal((await service.request('POST', '/api/media/token', { body: { session_id: id } })).status, 401);
  const bad = await service.request('POST', '/api/media/token', { user: USER, body: { session_id: 5, room: 'x' } });
  assert.deepEqual(bad.body.detail.map((problem: { type: string }) => problem.type).sort(), [
    'extra_forbidden',
    'string_type',
  ]);
});

/** The agents in a room. */
async function agentsIn(on: typeof service, room_name: string) {
  return (await on.media.listParticipants(room_name)).filter(({ kind }) => kind === 'AGENT');
}

async function openWithAgent(on: typeof service, user_id = USER, fields: object = {}) {
  const agent_id = await createAgent(on, { user_id, ...fields });
  return (await on.request('POST', '/api/sessions/', { body: { user_id, agent_id } })).body;
}

const askFor = (on: typeof service, session_id: string, user = USER) =>
  on.request('POST', '/api/media/token', { user, body: { session_id } });

test('the first tokens for a conversation with an agent call it into the room once, however many are asked for', async () => {
  const rooms = watchRooms(service.media);
  const { id, room_name, agent_id } = await openWithAgent(service);
  const { ensureAgent } = service.media;
  let called = 0;
  service.media.ensureAgent = (room) => {
    called++;
    rooms.set(room.room_name, room);
    return ensureAgent(room);
  };
  const answers = await Promise.all(Array.from({ length: 5 }, () => askFor(service, id)));
  service.media.ensureAgent = ensureAgent;
  assert.deepEqual(
    answers.map(({ status }) => status),
    [201, 201, 201, 201, 201],
  );
  assert.deepEqual([called, (await agentsIn(service, room_name)).length], [1, 1]);
  const job = await readJob(service, rooms.get(room_name)?.agent_metadata ?? '');
  assert.deepEqual([job.session_id, job.agent_id, job.direction], [id, agent_id, 'WEB']);
  assert.equal(rooms.get(room_name)?.room_metadata, JSON.stringify({ agentId: agent_id, sessionId: id }));
});

test('a conversation ends when its room is gone after its agent was dispatched', async () => {
  const clock = createTestClock();
  const media = createSandboxMedia({ clock: systemClock, ringMs: 1 });
  const deaf = await startService({ clock, media: { ...media, subscribe: () => {} } });
  const { id, room_name } = await openWithAgent(deaf);
  await askFor(deaf, id);
  await media.closeRoom(room_name);
  await deaf.app.reconcile();
  clock.advance(6_000);
  await deaf.app.reconcile();
  assert.equal((await deaf.request('GET', `/api/sessions/${id}`)).body.status, 'COMPLETED');
});

test('an agent that could not be dispatched is dispatched with the next token; after a dead request, half a minute later', async () => {
  const clock = createTestClock();
  const media = createSandboxMedia({ clock: systemClock, ringMs: 1 });
  let calls = 0;
  const ensureAgent: typeof media.ensureAgent = async (room) => {
    calls++;
    if (calls === 1)
      throw new ProviderError('provider_unavailable', { provider: 'x', operation: 'y', retryable: true });
    // The second finds nobody who would carry it out, as when the process dies.
    if (calls > 2) await media.ensureAgent(room);
  };
  const shaky = await startService({ clock, media: { ...media, ensureAgent } });
  const { id, room_name } = await openWithAgent(shaky);
  assert.equal((await askFor(shaky, id)).body.code, 'provider_unavailable');
  assert.equal((await askFor(shaky, id)).status, 201);
  clock.advance(29_000);
  assert.equal((await askFor(shaky, id)).status, 201);
  assert.equal(calls, 2);
  clock.advance(2_000);
  assert.equal((await askFor(shaky, id)).status, 201);
  assert.deepEqual([calls, (await agentsIn(shaky, room_name)).length], [3, 1]);
});

test('an agent of a conversation counts as a call, and an inactive or deleted one is not called', async () => {
  const limited = await startService({ env: { CALLS_CONCURRENT: '1', CALLS_BURST: '100' } });
  for (let n = 0; n < 10; n++) {
    const { id } = await openWithAgent(limited, 'counted');
    assert.equal((await askFor(limited, id, 'counted')).status, 201);
  }
  const { id, room_name } = await openWithAgent(limited, 'counted');
  const refused = await askFor(limited, id, 'counted');
  assert.deepEqual([refused.status, refused.body.code], [429, 'too_many_calls']);
  assert.deepEqual(await agentsIn(limited, room_name), []);
  const inactive = await openWithAgent(limited, 'other', { is_active: false });
  assert.equal((await askFor(limited, inactive.id, 'other')).body.code, 'agent_inactive');
  const gone = await openWithAgent(limited, 'other');
  assert.equal((await limited.request('DELETE', `/api/agents/${gone.agent_id}`)).status, 204);
  assert.equal((await askFor(limited, gone.id, 'other')).body.code, 'agent_inactive');
});

test('a token for the room of a phone call calls no second agent', async () => {
  const { call_id, room_name } = await answeredCall(service);
  assert.equal((await askFor(service, call_id)).status, 201);
  assert.equal((await agentsIn(service, room_name)).length, 1);
});

test('an open call can be listened to by its user alone, for a minute, and the sandbox says that there is nothing to hear', async () => {
  const { call_id, room_name } = await answeredCall(service);
  const listen = (id: string, user = USER) => service.request('POST', `/api/calls/${id}/listen`, { user });
  const before = await service.media.listParticipants(room_name);
  const { status, body } = await listen(call_id);
  assert.deepEqual([status, body.room_name, body.is_simulated], [201, room_name, true]);
  const left = Date.parse(body.expires_at) - Date.now();
  assert.ok(left > 0 && left <= 60_000);
  assert.deepEqual(await service.media.listParticipants(room_name), before);
  const conversation = await openSession();
  for (const [id, user] of [
    [call_id, 'somebody-else'],
    [conversation.id, USER],
    ['nonsense', USER],
  ] as const)
    assert.deepEqual((await listen(id, user)).body.code, 'not_found');
  await service.request('POST', `/api/calls/${call_id}/end`);
  const late = await listen(call_id);
  assert.deepEqual([late.status, late.body.code], [409, 'session_over']);
});
