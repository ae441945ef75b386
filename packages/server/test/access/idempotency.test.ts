import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import { createAgent, USER } from '@switchboard/testkit/calls.ts';
import { openTestDatabase } from '@switchboard/testkit/database.ts';
import { keysOf } from '@switchboard/testkit/keys.ts';
import { type Service, startService } from '@switchboard/testkit/service.ts';
import { sql } from 'kysely';
import { problemsOf } from '../support/answers.ts';

const service = await startService();
const agent_id = await createAgent(service);
await service.request('POST', '/api/sessions/', { body: { user_id: USER, room_name: 'idempotent' } });

const usage = {
  session_id: 's',
  user_id: USER,
  provider: 'p',
  event_type: 'llm_tokens',
  quantity: '1.50',
  unit_cost: 1,
  total_cost: '0.1',
};
const OPERATIONS = {
  'a usage event': {
    path: '/api/usage/events',
    body: usage,
    other: { ...usage, total_cost: '0.2' },
    table: 'usage_events',
  },
  'a transcript': {
    path: '/api/sessions/by-room/idempotent/transcripts',
    body: { content: 'a' },
    other: { content: 'b' },
    table: 'transcripts',
  },
  'a call': {
    path: '/api/calls/outbound',
    body: { agent_id, phone_number: '+15005550100' },
    other: { agent_id, phone_number: '+15005550101' },
    table: 'sessions',
  },
} as const;

function post(path: string, body: unknown, key: string, to: Pick<Service, 'request'> = service, user = USER) {
  return to.request('POST', path, { user, body, headers: { 'idempotency-key': key } });
}

async function count(table: 'usage_events' | 'transcripts' | 'sessions'): Promise<number> {
  const { rows } = await sql<{ n: number }>`select count(*) as n from ${sql.table(table)}`.execute(service.database.db);
  return rows[0]?.n ?? 0;
}

for (const [name, { path, body, other, table }] of Object.entries(OPERATIONS)) {
  test(`${name} that is sent again gets the first response and is stored once`, async () => {
    const key = randomUUID();
    const before = await count(table);
    const first = await post(path, body, key);
    assert.equal(first.status, 201);
    for (let again = 0; again < 3; again++) {
      const { status, body: answer } = await post(path, body, key);
      assert.deepEqual([status, answer], [201, first.body]);
    }
    assert.equal((await count(table)) - before, 1);
  });

  test(`${name} under a key used for a different request is a 422 that names the header`, async () => {
    const key = randomUUID();
    await post(path, body, key);
    const { status, body: answer } = await post(path, other, key);
    assert.equal(status, 422);
    assert.deepEqual(answer.detail[0].loc, ['header', 'idempotency-key']);
  });

  test(`${name} sent ten times at once is stored once; requests in between get a 409`, async () => {
    const key = randomUUID();
    const before = await count(table);
    const answers = await Promise.all(Array.from({ length: 10 }, () => post(path, body, key)));
    assert.deepEqual(
      answers.filter(({ status }) => status !== 201 && status !== 409),
      [],
    );
    for (const answer of answers) if (answer.status === 409) assert.equal(answer.body.code, 'idempotency_in_progress');
    const created = answers.filter(({ status }) => status === 201);
    assert.ok(created.length > 0);
    assert.equal(new Set(created.map((answer) => JSON.stringify(answer.body))).size, 1);
    assert.equal((await count(table)) - before, 1);
  });
}

test('a call that is sent again to another replica dials once', async () => {
  const dialled: string[] = [];
  const database = await openTestDatabase();
  const replica = async () => {
    const one = await startService({ database });
    const dial = one.media.dial;
    one.media.dial = (call) => {
      dialled.push(call.room_name);
      return dial(call);
    };
    return one;
  };
  const [first, second] = [await replica(), await replica()];
  const body = { agent_id: await createAgent(first), phone_number: '+15005550100' };
  const key = randomUUID();
  const answers = [
    await post('/api/calls/outbound', body, key, first),
    await post('/api/calls/outbound', body, key, second),
  ];
  assert.deepEqual(answers[0]?.body, answers[1]?.body);
  assert.deepEqual(dialled, [answers[0]?.body.room_name]);
  await first.close();
  await second.close();
  await database.close();
});

test('a repeated call whose room could not be created gets the same response', async () => {
  const failing = await startService();
  failing.media.createRoom = () => Promise.reject(new Error('away'));
  const body = { agent_id: await createAgent(failing), phone_number: '+15005550100' };
  const key = randomUUID();
  const first = await post('/api/calls/outbound', body, key, failing);
  assert.equal(first.body.status, 'FAILED');
  assert.deepEqual((await post('/api/calls/outbound', body, key, failing)).body, first.body);
  await failing.close();
});

test('a refused request leaves its key unused', async () => {
  const key = randomUUID();
  const refused = await post('/api/calls/outbound', { agent_id: randomUUID(), phone_number: '+15005550100' }, key);
  assert.equal(refused.status, 404);
  assert.equal((await post('/api/calls/outbound', OPERATIONS['a call'].body, key)).status, 201);
});

test('a key is scoped to one user and operation', async () => {
  const key = randomUUID();
  await post('/api/usage/events', usage, key);
  assert.equal((await post('/api/usage/events', { ...usage, user_id: 'other' }, key, service, 'other')).status, 201);
  assert.equal((await post(OPERATIONS['a transcript'].path, { content: 'a' }, key)).status, 201);
});

test('after a day the response is deleted and its key can be used again', async () => {
  const key = randomUUID();
  await post('/api/usage/events', usage, key);
  await sql`update idempotency_keys set created_at = now() - interval '25 hours' where key = ${key}`.execute(
    service.database.db,
  );
  assert.equal((await post('/api/usage/events', { ...usage, total_cost: '9' }, key)).body.total_cost, '9');
  await sql`update idempotency_keys set created_at = now() - interval '25 hours'`.execute(service.database.db);
  await service.app.reconcile();
  const { rows } = await sql`select key from idempotency_keys`.execute(service.database.db);
  assert.deepEqual(rows, []);
});

test('an empty or overlong key is a 422', async () => {
  for (const key of ['', 'x'.repeat(256)]) {
    const { status, body } = await post('/api/usage/events', usage, key);
    assert.deepEqual([status, body.detail[0].loc], [422, ['header', 'idempotency-key']]);
  }
});

test('users and keys whose concatenations are equal do not share responses', async () => {
  const send = async (user: string, key: string) => {
    const payload = {
      session_id: 's',
      provider: 'p',
      event_type: 'llm_tokens',
      quantity: 1,
      unit_cost: 1,
      total_cost: 1,
    };
    const headers = { 'x-user-id': user, 'idempotency-key': key };
    // Past the network: that they arrive in the same moment is not left to chance.
    const answer = await service.app.server.inject({
      method: 'POST',
      url: '/api/usage/events',
      headers,
      payload: { ...payload, user_id: user },
    });
    return answer.json();
  };
  const asked = [
    ['one', 'two three'],
    ['one two', 'three'],
  ] as const;
  const first = [await send(...asked[0]), await send(...asked[1])];
  const again = await Promise.all(asked.map(([user, key]) => send(user, key)));
  assert.deepEqual(again, first);
  assert.deepEqual(
    first.map(({ user_id }) => user_id),
    ['one', 'one two'],
  );
});

test('concurrent repeats of a finished request on two replicas all get its response', async () => {
  const database = await openTestDatabase();
  const replicas = [await startService({ database }), await startService({ database })];
  const body = { events: [{ ...usage, session_id: 'repeated' }] };
  const key = randomUUID();
  const first = await post('/api/usage/events/batch', body, key, replicas[0]);
  assert.equal(first.status, 201);
  const again = await Promise.all(
    Array.from({ length: 60 }, (_, index) => post('/api/usage/events/batch', body, key, replicas[index % 2])),
  );
  for (const { status, body: answer } of again) assert.deepEqual([status, answer], [201, first.body]);
  for (const replica of replicas) await replica.close();
  await database.close();
});

test('a request that is repeated with another API key of the operator, which replaced the first, has one effect', async () => {
  const database = await openTestDatabase();
  const required = await startService({ database, env: { AUTH_MODE: 'required' } });
  const keys = keysOf(database);
  const tokenOf = async (name: string, role: 'worker' | 'service') => (await keys.create({ name, role })).key;
  const tokens = [
    await tokenOf('one', 'worker'),
    await tokenOf('two', 'worker'),
    await tokenOf('three', 'service'),
  ] as const;
  const key = randomUUID();
  const log = async (token: string, body: object, headers = {}) => {
    const authorized = { authorization: `Bearer ${token}`, 'idempotency-key': key, ...headers };
    return required.request('POST', '/api/usage/events', { headers: authorized, body });
  };
  const ids = [];
  for (const token of tokens) ids.push((await log(token, usage)).body.id);
  assert.deepEqual(ids, [ids[0], ids[0], ids[0]]);
  assert.deepEqual(problemsOf(await log(tokens[1], { ...usage, total_cost: '9' })), [
    'header.idempotency-key value_error',
  ]);
  const other = await log(tokens[1], usage, { 'x-user-id': USER });
  assert.notEqual(other.body.id, ids[0]);
  await required.close();
  await database.close();
});

test('a response that was stored under the name of an API key, by version 0.1, is given again to that key', async () => {
  const database = await openTestDatabase();
  const required = await startService({ database, env: { AUTH_MODE: 'required' } });
  const { id, key: token } = await keysOf(database).create({ name: 'one', role: 'worker' });
  const key = randomUUID();
  const headers = { authorization: `Bearer ${token}`, 'idempotency-key': key };
  const log = () => required.request('POST', '/api/usage/events', { headers, body: usage });
  const first = await log();
  const scope = `POST /api/usage/events ["api_key/${id}",null]`;
  const { numUpdatedRows } = await database.db
    .updateTable('idempotency_keys')
    .set({ scope })
    .where('key', '=', key)
    .executeTakeFirstOrThrow();
  assert.equal(numUpdatedRows, 1n);
  assert.deepEqual((await log()).body, first.body);
  await required.close();
  await database.close();
});
