import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createAgent, USER } from '@switchboard/testkit/calls.ts';
import { createTestClock } from '@switchboard/testkit/clock.ts';
import { startService } from '@switchboard/testkit/service.ts';
import { assertRefused, problemsOf, rawAnswer } from '../support/answers.ts';

const clock = createTestClock('2026-03-01T10:00:00.000Z');
const service = await startService({ clock });
const UNKNOWN = '01980000-0000-7000-8000-000000000000';

async function open(fields: object = {}) {
  const answer = await service.request('POST', '/api/sessions/', { body: { user_id: USER, ...fields } });
  assert.equal(answer.status, 201, JSON.stringify(answer.body));
  return answer.body;
}

async function refusedToOpen(fields: object): Promise<string[]> {
  return problemsOf(await service.request('POST', '/api/sessions/', { body: { user_id: USER, ...fields } }));
}

test('an opened session is ACTIVE and has exactly the 19 specified fields', async () => {
  const agent_id = await createAgent(service, { name: 'Front desk' });
  const session = await open({ room_name: 'web-1', agent_id, session_data: { source: 'web' } });
  const now = '2026-03-01T10:00:00.000Z';
  const { id, ...rest } = session;
  assert.match(id, /^[0-9a-f-]{36}$/);
  assert.equal(Object.keys(session).length, 19);
  assert.deepEqual(rest, {
    room_name: 'web-1',
    status: 'ACTIVE',
    started_at: now,
    ended_at: null,
    duration: null,
    user_id: USER,
    agent_id,
    agent_name: 'Front desk',
    created_at: now,
    updated_at: now,
    session_data: { source: 'web' },
    call_direction: null,
    outbound_phone_number: null,
    call_status: null,
    analysis: null,
    transferred_to: null,
    transfer_type: null,
    transfer_timestamp: null,
  });
  assert.deepEqual((await service.request('GET', `/api/sessions/${id}`)).body, session);
  assert.deepEqual((await service.request('GET', '/api/sessions/by-room/web-1')).body, session);
});

test('a session needs only a user: the service names the room, agent and data are optional', async () => {
  const [one, other] = [await open(), await open({ agent_id: null })];
  assert.ok(one.room_name.length > 0);
  assert.notEqual(one.room_name, other.room_name);
  assert.deepEqual([one.agent_id, one.agent_name, one.session_data], [null, null, {}]);
});

test('session_data may be null, and metadata is merged into it as in an update', async () => {
  const data = async (fields: object) => (await open(fields)).session_data;
  assert.deepEqual(await data({ session_data: null, metadata: null }), {});
  assert.deepEqual(await data({ metadata: { a: 1, analysis: { mood: 'good' } } }), {
    a: 1,
    analysis: { mood: 'good' },
  });
  assert.deepEqual(await data({ session_data: { a: { b: 1 }, c: 2 }, metadata: { a: { d: 3 }, c: null } }), {
    a: { b: 1, d: 3 },
  });
  assert.deepEqual(await refusedToOpen({ metadata: 'x' }), ['body.metadata dict_type']);
});

test('opening the room of an existing session returns that session unchanged to its user', async () => {
  const first = await open({ room_name: 'web-2', session_data: { first: true } });
  assert.deepEqual(await open({ room_name: 'web-2', session_data: { second: true } }), first);
  await service.request('POST', '/api/sessions/by-room/web-2/end');
  assert.equal((await open({ room_name: 'web-2' })).status, 'COMPLETED');
});

test('ten concurrent openings of one room create one session', async () => {
  const answers = await Promise.all(
    Array.from({ length: 10 }, () =>
      service.request('POST', '/api/sessions/', { body: { user_id: USER, room_name: 'crowded' } }),
    ),
  );
  assert.deepEqual(
    answers.map(({ status }) => status),
    Array(10).fill(201),
  );
  assert.equal(new Set(answers.map(({ body }) => body.id)).size, 1);
});

test('the room of another user’s session is a conflict that reveals nothing of it', async () => {
  await open({ room_name: 'web-3', session_data: { secret: 'x' } });
  const answer = await service.request('POST', '/api/sessions/', { body: { user_id: 'mallory', room_name: 'web-3' } });
  assertRefused(answer, 409, 'room_taken');
  assert.deepEqual(Object.keys(answer.body).sort(), ['code', 'detail']);
});

test('the agent of a session must exist and belong to its user', async () => {
  const foreign = await createAgent(service, { user_id: 'owner' });
  for (const agent_id of [UNKNOWN, 'no-id', '', '\u00e9', foreign]) {
    const answer = await service.request('POST', '/api/sessions/', { body: { user_id: USER, agent_id } });
    assertRefused(answer, 404, 'not_found');
  }
});

test('agent_name is the agent’s current name, and null once the agent is deleted', async () => {
  const agent_id = await createAgent(service, { name: 'Before' });
  const { id } = await open({ agent_id });
  await service.request('PATCH', `/api/agents/${agent_id}`, { body: { name: 'After' } });
  assert.equal((await service.request('GET', `/api/sessions/${id}`)).body.agent_name, 'After');
  await service.request('DELETE', `/api/agents/${agent_id}`);
  const session = (await service.request('GET', `/api/sessions/${id}`)).body;
  assert.deepEqual([session.agent_id, session.agent_name], [agent_id, null]);
});

test('invalid and unknown fields of a new session are refused', async () => {
  assert.deepEqual(await refusedToOpen({ user_id: undefined, colour: 'blue' }), [
    'body.colour extra_forbidden',
    'body.user_id missing',
  ]);
  assert.deepEqual(await refusedToOpen({ one: 1, two: 2 }), ['body.one extra_forbidden', 'body.two extra_forbidden']);
  assert.deepEqual(await refusedToOpen({ room_name: '', session_data: [] }), [
    'body.room_name string_too_short',
    'body.session_data dict_type',
  ]);
  assert.deepEqual(await refusedToOpen({ room_name: 'x'.repeat(256) }), ['body.room_name string_too_long']);
  assert.deepEqual(await refusedToOpen({ room_name: 'a\0' }), ['body.room_name string_nul']);
  assert.deepEqual(await refusedToOpen({ agent_id: 7 }), ['body.agent_id string_type']);
  assert.deepEqual(await refusedToOpen({ session_data: { a: '\0' } }), ['body.session_data.a string_nul']);
});

test('opening a session for a user other than the header’s is a 403', async () => {
  const answer = await service.request('POST', '/api/sessions/', { user: 'mallory', body: { user_id: USER } });
  assertRefused(answer, 403, 'wrong_user');
});

test('a room may have any name of up to 255 characters', async () => {
  for (const room_name of ['a/b?c#d', '%2F', '..', '世界 👋🏽', '👋'.repeat(255), "'; drop table sessions; --"]) {
    const session = await open({ room_name });
    const path = `/api/sessions/by-room/${encodeURIComponent(room_name).replaceAll('.', '%2E')}`;
    // A client's URL parser takes %2E%2E for a parent directory, so that one room cannot be asked for.
    if (room_name !== '..') assert.deepEqual((await service.request('GET', path)).body, session, room_name);
  }
});

test('unknown, malformed and other users’ sessions get the same answer everywhere', async () => {
  const { id } = await open({ room_name: 'private', user_id: 'owner' });
  const paths: [method: string, path: (id: string) => string][] = [
    ['GET', (one) => `/api/sessions/${one}`],
    ['PATCH', (one) => `/api/sessions/${one}`],
    ['GET', (one) => `/api/sessions/${one}/transcripts`],
    ['GET', (one) => `/api/sessions/${one}/costs`],
  ];
  for (const [method, path] of paths) {
    const answers = await Promise.all(
      [UNKNOWN, 'no-id', '%00', id].map((one) => rawAnswer(service, path(one), USER, method)),
    );
    assert.match(answers[0] ?? '', /^404 .*"not_found"/);
    assert.equal(new Set(answers).size, 1, answers.join('\n'));
  }
  for (const [method, end] of [
    ['GET', ''],
    ['POST', '/end'],
  ] as const) {
    const answers = await Promise.all(
      ['unknown', '%00', 'private'].map((one) =>
        rawAnswer(service, `/api/sessions/by-room/${one}${end}`, USER, method),
      ),
    );
    assert.match(answers[0] ?? '', /^404 .*"not_found"/);
    assert.equal(new Set(answers).size, 1, answers.join('\n'));
  }
  const unchanged = (await service.request('GET', `/api/sessions/${id}`, { user: 'owner' })).body;
  assert.deepEqual([unchanged.status, unchanged.session_data], ['ACTIVE', {}]);
});

test('ending by room completes the session, and repeating it changes nothing', async () => {
  clock.set('2026-03-01T10:00:00.000Z');
  await open({ room_name: 'ending' });
  clock.set('2026-03-01T10:01:30.250Z');
  const ended = await service.request('POST', '/api/sessions/by-room/ending/end', { user: USER });
  assert.equal(ended.status, 200);
  const { status, ended_at, duration, call_status } = ended.body;
  assert.deepEqual(
    { status, ended_at, duration, call_status },
    { status: 'COMPLETED', ended_at: '2026-03-01T10:01:30.250Z', duration: 90.25, call_status: null },
  );
  clock.set('2026-03-01T12:00:00.000Z');
  assert.deepEqual((await service.request('POST', '/api/sessions/by-room/ending/end')).body, ended.body);
});

test('ten concurrent endings end the session once', async () => {
  const { id, room_name } = await open();
  const answers = await Promise.all(
    Array.from({ length: 10 }, () => service.request('POST', `/api/sessions/by-room/${room_name}/end`)),
  );
  assert.deepEqual(new Set(answers.map(({ status, body }) => `${status} ${body.status}`)), new Set(['200 COMPLETED']));
  const rows = await service.database.db
    .selectFrom('session_events')
    .selectAll()
    .where('session_id', '=', id)
    .execute();
  assert.deepEqual(rows.map(({ status }) => status).sort(), ['ACTIVE', 'COMPLETED']);
});
