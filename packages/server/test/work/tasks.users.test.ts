import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import type { Json } from '@switchboard/testkit/client.ts';
import { eventually } from '@switchboard/testkit/eventually.ts';
import { keysOf } from '@switchboard/testkit/keys.ts';
import { addWork, takeDue } from '../../src/work/store.ts';
import { assertRefused } from '../support/answers.ts';
import { CONFIG, served, variables } from '../support/chats.ts';

const service = await served({ AUTH_MODE: 'required' });
after(() => service.close());
const keys = keysOf(service.database);
const keyOf = async (input: Parameters<typeof keys.create>[0]) => (await keys.create(input)).key;
const as = (key: string) => (path: string, body?: Json, user?: string) =>
  service.request('POST', path, {
    headers: { authorization: `Bearer ${key}` },
    ...(body && { body }),
    ...(user && { user }),
  });
const backend = as(await keyOf({ name: 'backend', role: 'service' }));
const everybodys = as(await keyOf({ name: 'worker', role: 'worker' }));
const adas = as(await keyOf({ name: 'worker of Ada', role: 'worker', user_id: 'ada' }));
type Asked = typeof adas;

/** A message that waits for its answer, and the chat that it is in. */
async function ask(user: string) {
  const { body: agent } = await backend('/api/agents/', { name: 'Library', user_id: user, config: CONFIG }, user);
  const { body: chat } = await backend('/api/chats', { agent_id: agent.id, variables }, user);
  const answered = backend(`/api/chats/${chat.chat_id}/messages`, { content: 'When do you open?' }, user);
  return { chat_id: chat.chat_id as string, answered };
}

async function claim(worker: Asked, fields: Json = {}): Promise<Json[]> {
  const { status, body } = await worker('/api/worker/tasks/claim', { kind: 'chat_turn', wait_s: 30, ...fields });
  assert.equal(status, 200, JSON.stringify(body));
  return body.tasks;
}

const about = (tasks: Json[]) => tasks.map(({ payload }) => payload.chat_id);
const answer = (worker: Asked, { task_id, lease_token }: Json) =>
  worker(`/api/worker/tasks/${task_id}/complete`, { lease_token, result: { content: 'At ten.' } });

test('a worker whose key is bound to a user gets the tasks of this user alone, an unbound one those of all', async () => {
  const [bob, ada] = [await ask('bob'), await ask('ada')];
  // Bob's has waited for longer.
  const [task = assert.fail()] = await claim(adas, { capacity: 10 });
  assert.equal(task.payload.chat_id, ada.chat_id);
  assert.deepEqual(await claim(adas, { capacity: 10, wait_s: 0 }), []);
  const { task_id, lease_token } = task;
  for (const [action, body] of [
    ['heartbeat', { lease_token }],
    ['events', { lease_token, events: [{ type: 'words', text: 'At ' }] }],
  ] as const)
    assert.equal((await adas(`/api/worker/tasks/${task_id}/${action}`, body)).status, 200, action);
  assert.equal((await answer(adas, task)).status, 200);
  assert.equal((await ada.answered).body.content, 'At ten.');

  const again = await ask('ada');
  const tasks: Json[] = [];
  while (tasks.length < 2) tasks.push(...(await claim(everybodys, { capacity: 10 })));
  assert.deepEqual(about(tasks).sort(), [bob.chat_id, again.chat_id].sort());
  for (const one of tasks) assert.equal((await answer(everybodys, one)).status, 200);
  assert.deepEqual([(await bob.answered).status, (await again.answered).status], [200, 200]);
});

test('the task of another user is one that is not there', async () => {
  const bob = await ask('bob');
  const [task = assert.fail()] = await claim(everybodys);
  const { task_id, lease_token } = task;
  const failure = { lease_token, error: 'No.', retryable: false };
  for (const [action, body] of [
    ['heartbeat', { lease_token }],
    ['events', { lease_token, events: [{ type: 'words', text: 'At ' }] }],
    ['complete', { lease_token, result: { content: 'Never.' } }],
    ['fail', failure],
  ] as const)
    assertRefused(await adas(`/api/worker/tasks/${task_id}/${action}`, body), 409, 'lease_lost');
  assertRefused(await adas('/api/worker/tasks/claim', { kind: 'chat_turn' }, 'bob'), 403, 'wrong_user');
  // It is still held, and nothing has come of it.
  assert.equal((await answer(everybodys, task)).status, 200);
  assert.equal((await bob.answered).body.content, 'At ten.');
});

test('where both wait, the user’s own worker gets as much as it can do, and others the rest', async () => {
  const unbound = claim(everybodys, { capacity: 10 });
  const bound = claim(adas);
  const one = await ask('ada');
  // That of all users has waited for longer, and has room for more.
  const [own = assert.fail()] = await bound;
  assert.equal(own.payload.chat_id, one.chat_id);
  const two = await ask('ada');
  const [rest = assert.fail()] = await unbound;
  assert.equal(rest.payload.chat_id, two.chat_id);
  assert.deepEqual([(await answer(adas, own)).status, (await answer(everybodys, rest)).status], [200, 200]);
  assert.deepEqual([(await one.answered).status, (await two.answered).status], [200, 200]);
});

test('functions are checked by the worker of the agent’s user, models by those of all', async () => {
  const { body: agent } = await backend('/api/agents/', { name: 'Library', user_id: 'ada', config: CONFIG }, 'ada');
  const hours = { name: 'hours', description: 'Opening hours', url: 'https://example.com/hours' };
  const checked = backend(`/api/agents/${agent.id}/functions/check`, { function: hours }, 'ada');
  const [task = assert.fail()] = await claim(adas, { kind: 'function_check' });
  const { task_id, lease_token, payload } = task;
  assert.deepEqual([payload.user_id, payload.agent_id], ['ada', agent.id]);
  const failure = { lease_token, error: 'No.', retryable: false };
  assert.equal((await adas(`/api/worker/tasks/${task_id}/fail`, failure)).status, 200);
  assert.equal((await checked).body.outcome, 'failed');
  const asked = backend('/api/providers/check', { kind: 'llm', provider: 'openai', model: 'gpt-4.1-mini' });
  const own = claim(adas, { kind: 'provider_check', wait_s: 1 });
  const [check = assert.fail()] = await claim(everybodys, { kind: 'provider_check' });
  assert.deepEqual(await own, []);
  const ended = { lease_token: check.lease_token, error: 'No.', retryable: false };
  assert.equal((await everybodys(`/api/worker/tasks/${check.task_id}/fail`, ended)).status, 200);
  assert.equal((await asked).body.outcome, 'failed');
});

test('a worker of one user opens sessions of this user, and chooses no room that the user is not in', async () => {
  assertRefused(await adas('/api/sessions/', { user_id: 'bob' }), 403, 'wrong_user');
  assertRefused(await adas('/api/sessions/', { user_id: 'ada', room_name: 'of others' }), 403, 'role_not_allowed');
  const { body } = await adas('/api/sessions/', { user_id: 'ada' });
  assert.equal((await adas('/api/sessions/', { user_id: 'ada', room_name: body.room_name })).body.id, body.id);
  assert.equal((await everybodys('/api/sessions/', { user_id: 'ada', room_name: 'of others' })).status, 201);
});

test('an erasure leaves no task of the user', async () => {
  const { chat_id, answered } = await ask('eve');
  const rows = () => service.database.db.selectFrom('work').select('key').where('user_id', '=', 'eve').execute();
  assert.deepEqual(await eventually(rows, (found) => found.length > 0), [{ key: chat_id }]);
  // As if a process had died that waited for a check.
  await service.database.db.updateTable('work').set({ key: 'left' }).where('key', '=', chat_id).execute();
  const admin = await keyOf({ name: 'admin', role: 'admin' });
  const headers = { authorization: `Bearer ${admin}` };
  assert.equal((await service.request('DELETE', '/api/users/eve', { headers })).status, 200);
  assert.deepEqual(await rows(), []);
  await answered;
});

test('one statement takes tasks of users apart from those of all others, and no more than there is room for', async () => {
  const { db } = service.database;
  const now = new Date();
  const of = (key: string, user_id: string | null, kind = 'errand') => ({
    kind,
    key,
    user_id,
    payload: {},
    due_at: now,
  });
  const theirs = [of('a1', 'ada'), of('a2', 'ada'), of('b1', 'bob'), of('b2', 'bob'), of('nobody’s', null)];
  await addWork(db, [...theirs, of('c1', 'ada', 'other')], false, now);
  const wanted = (room: number, user_id: string | null = null) => ({ kind: 'errand', user_id, room, leaseMs: 60_000 });
  const taken = async (...asked: ReturnType<typeof wanted>[]) =>
    (await takeDue(db, asked, now)).map(({ key, user_id }) => `${key} ${user_id}`).sort();
  assert.deepEqual(await taken(wanted(1, 'eve')), []);
  const some = await taken(wanted(10), wanted(1, 'ada'));
  const [own, others] = [some.filter((one) => one.endsWith(' ada')), some.filter((one) => !one.endsWith(' ada'))];
  assert.deepEqual([own.length, others], [1, ['b1 bob', 'b2 bob', 'nobody’s null']]);
  // A user that is wanted apart is so for that kind alone.
  assert.deepEqual(await taken({ ...wanted(10), kind: 'other' }, wanted(0, 'ada')), ['c1 ada']);
  assert.equal((await taken(wanted(10))).length, 1);
});

test('a task that was tried before goes to others as well, although its user has a worker of its own', async () => {
  const { db } = service.database;
  const now = new Date();
  const work = { kind: 'test', payload: {}, due_at: now, user_id: 'ada' };
  await addWork(
    db,
    [
      { ...work, key: 'new' },
      { ...work, key: 'tried' },
    ],
    false,
    now,
  );
  await db.updateTable('work').set({ attempts: 1 }).where('key', '=', 'tried').execute();
  const rooms = [{ user_id: 'ada', room: 0 }, { room: 5 }];
  const taken = await takeDue(
    db,
    rooms.map((one) => ({ ...one, kind: 'test', leaseMs: 1000 })),
    now,
  );
  assert.deepEqual(
    taken.map(({ key }) => key),
    ['tried'],
  );
  await db.deleteFrom('work').where('kind', '=', 'test').execute();
});

test('a key that is bound to a user logs no usage in the calls of others', async () => {
  const bob = await ask('bob');
  const event = (session_id: string) => ({
    session_id,
    user_id: 'ada',
    provider: 'openai',
    event_type: 'llm_tokens',
    quantity: 1,
    unit_cost: '1',
    total_cost: '1',
  });
  const own = await ask('ada');
  for (const session_id of [bob.chat_id, bob.chat_id.toUpperCase()]) {
    assertRefused(await adas('/api/usage/events', event(session_id)), 403, 'wrong_user');
    assertRefused(
      await adas('/api/usage/events/batch', { events: [event(own.chat_id), event(session_id)] }),
      403,
      'wrong_user',
    );
  }
  assert.equal((await adas('/api/usage/events', event(own.chat_id))).status, 201);
  assert.equal((await adas('/api/usage/events', event('a session of elsewhere'))).status, 201);
  assert.equal((await everybodys('/api/usage/events', event(bob.chat_id))).status, 201);
  for (const { chat_id } of [bob, own]) await backend(`/api/chats/${chat_id}/end`, {});
});

test('a key that is bound to a user does not say how many calls workers take: campaigns of all users go by that', async () => {
  const calls = { worker: 'one:8081', max: 0 };
  assert.deepEqual(await claim(adas, { kind: 'function_check', wait_s: 0, calls }), []);
  await claim(everybodys, { kind: 'function_check', wait_s: 0, calls: { worker: 'two:8081', max: 4 } });
  const { db } = service.database;
  const known = () => db.selectFrom('call_workers').select('id').execute();
  assert.deepEqual(await eventually(known, (rows) => rows.length > 0), [{ id: 'two:8081' }]);
});

test('where both wait, a task that was tried before goes to another worker than its user’s own', async () => {
  const { chat_id, answered } = await ask('ada');
  const [first = assert.fail()] = await claim(adas);
  const waiting = [claim(adas, { wait_s: 5 }), claim(everybodys, { wait_s: 20 })] as const;
  const { task_id, lease_token } = first;
  const failed = { lease_token, error: 'No.', retryable: true };
  assert.equal((await adas(`/api/worker/tasks/${task_id}/fail`, failed)).status, 200);
  const [own, [again = assert.fail('nobody got it')]] = await Promise.all(waiting);
  assert.deepEqual([own, again.payload.chat_id], [[], chat_id]);
  assert.equal((await answer(everybodys, again)).status, 200);
  assert.equal((await answered).status, 200);
});
