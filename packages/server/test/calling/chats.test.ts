import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createAgent, USER } from '@switchboard/testkit/calls.ts';
import type { Json } from '@switchboard/testkit/client.ts';
import { eventually } from '@switchboard/testkit/eventually.ts';
import { type Service, startService } from '@switchboard/testkit/service.ts';
import { MAX_MESSAGES } from '../../src/calling/chats/schema.ts';
import { assertRefused } from '../support/answers.ts';
import {
  CONFIG,
  claim,
  complete,
  post,
  send,
  served,
  startChat,
  stream,
  transcriptOf,
  variables,
} from '../support/chats.ts';

test('in the sandbox a chat is answered from the instructions, has a transcript and a cost, and says that it is simulated', async () => {
  const service = await startService();
  const chat_id = await startChat(service);
  const { status, body } = await send(service, chat_id, 'When do you open on Sunday?');
  assert.equal(status, 200);
  assert.deepEqual([body.content, body.is_simulated], ['The library opens at ten on Sundays.', true]);
  await send(service, chat_id, 'How much is a library card?');
  assert.deepEqual(await transcriptOf(service, chat_id), [
    ['USER', 'When do you open on Sunday?'],
    ['AGENT', 'The library opens at ten on Sundays.'],
    ['USER', 'How much is a library card?'],
    ['AGENT', 'A library card costs five dollars a year.'],
  ]);
  const costs = await eventually(
    async () => (await service.request('GET', `/api/sessions/${chat_id}/costs`, { user: USER })).body,
    ({ events }) => events.length === 2,
  );
  assert.ok(costs.events.every(({ provider }: Json) => provider === 'sandbox') && Number(costs.total_cost) > 0);
  const ended = (await post(service, `/api/chats/${chat_id}/end`)).body;
  assert.deepEqual([ended.chat_id, ended.direction, ended.status], [chat_id, 'CHAT', 'COMPLETED']);
  assertRefused(await send(service, chat_id, 'Hello?'), 409, 'session_over');
  await service.close();
});

test('a worker claims the turn with everything it needs, and its answer is the response', async () => {
  const service = await served();
  const claimed = claim(service);
  const chat_id = await startChat(service, { metadata: { crm_id: 'C-17' } });
  const answered = send(service, chat_id, 'Hello?');
  const [task = assert.fail()] = await claimed;
  const { payload, ...held } = task;
  assert.deepEqual([held.kind, held.attempt], ['chat_turn', 1]);
  assert.deepEqual(
    [payload.chat_id, payload.user_id, payload.config, payload.variables, payload.metadata, payload.messages],
    [chat_id, USER, CONFIG, variables, { crm_id: 'C-17' }, [{ speaker: 'USER', content: 'Hello?' }]],
  );
  assertRefused(await send(service, chat_id, 'Are you there?'), 409, 'turn_in_progress');
  const extended = await post(service, `/api/worker/tasks/${task.task_id}/heartbeat`, { lease_token: 1 }, null);
  assert.ok(extended.body.lease_expires_at >= task.lease_expires_at);
  for (const lease_token of [0, 1e30]) {
    const refused = await post(service, `/api/worker/tasks/${task.task_id}/heartbeat`, { lease_token }, null);
    assert.equal(refused.status, 422);
  }
  const unfit = { lease_token: 1, result: { words: 'x' } };
  assert.equal((await post(service, `/api/worker/tasks/${task.task_id}/complete`, unfit, null)).status, 422);
  assert.equal((await complete(service, task, 'Good morning.')).status, 200);
  const { status, body } = await answered;
  assert.deepEqual([status, body.content, body.is_simulated], [200, 'Good morning.', false]);
  assert.deepEqual(await transcriptOf(service, chat_id), [
    ['USER', 'Hello?'],
    ['AGENT', 'Good morning.'],
  ]);
  await service.close();
});

test('a task has one result: a worker whose lease another one has, or that answers twice, is refused', async () => {
  const service = await served();
  const chat_id = await startChat(service);
  const answered = send(service, chat_id, 'Hello?');
  const [late = assert.fail()] = await claim(service);
  // As if it had not been heard from for half a minute.
  await service.database.db
    .updateTable('work')
    .set({ leased_until: new Date(0) })
    .execute();
  const [task = assert.fail()] = await claim(service);
  assert.deepEqual([task.task_id, task.attempt], [late.task_id, 2]);
  assertRefused(await complete(service, late, 'Too late.'), 409, 'lease_lost');
  assertRefused(
    await post(service, `/api/worker/tasks/${task.task_id}/heartbeat`, { lease_token: late.lease_token }, null),
    409,
    'lease_lost',
  );
  const results = await Promise.all([complete(service, task, 'One.'), complete(service, task, 'Two.')]);
  assert.deepEqual(results.map(({ status }) => status).sort(), [200, 409]);
  const { content } = (await answered).body;
  assert.deepEqual(await transcriptOf(service, chat_id), [
    ['USER', 'Hello?'],
    ['AGENT', content],
  ]);
  await service.close();
});

test('a turn that fails is tried again up to three times, one that cannot succeed is given up, and the message may be sent again', async () => {
  const service = await served();
  const chat_id = await startChat(service);
  const fail = ({ task_id, lease_token }: Json, retryable: boolean) =>
    post(service, `/api/worker/tasks/${task_id}/fail`, { lease_token, retryable, error: 'no model' }, null);
  const tried = send(service, chat_id, 'Hello?');
  for (const attempt of [1, 2, 3]) {
    const [task = assert.fail()] = await claim(service);
    assert.equal(task.attempt, attempt);
    assert.equal((await fail(task, true)).status, 200);
  }
  assertRefused(await tried, 503, 'turn_unanswered');
  const again = send(service, chat_id, 'Hello again?');
  const [task = assert.fail()] = await claim(service);
  await fail(task, false);
  assertRefused(await again, 503, 'turn_unanswered');
  await service.close();
});

test('a result that makes no sense is refused and leaves the task to its worker, until it gives the task up or is silent', async () => {
  const service = await served();
  const chat_id = await startChat(service);
  const { db } = service.database;
  const route = ({ task_id }: Json, what: string) => `/api/worker/tasks/${task_id}/${what}`;
  const nonsense = async (task: Json) => {
    for (const result of [
      {},
      { content: '' },
      { content: ['Hello.'] },
      { content: 'x'.repeat(8_001) },
      'Hello.',
      null,
    ]) {
      const body = { lease_token: task.lease_token, result };
      assert.equal((await post(service, route(task, 'complete'), body, null)).status, 422, JSON.stringify(result));
    }
    assert.deepEqual(await claim(service, { wait_s: 0 }), [], 'no other worker gets it yet');
    return task.attempt;
  };
  const answered = send(service, chat_id, 'Hello?');
  const [first = assert.fail()] = await claim(service);
  assert.equal(await nonsense(first), 1);
  const given = { lease_token: first.lease_token, retryable: true, error: 'nonsense' };
  assert.equal((await post(service, route(first, 'fail'), given, null)).status, 200);
  const [second = assert.fail()] = await claim(service);
  assert.equal(await nonsense(second), 2);
  // As if it had not been heard from for half a minute.
  await db
    .updateTable('work')
    .set({ leased_until: new Date(0) })
    .execute();
  const [third = assert.fail()] = await claim(service);
  assert.equal(third.attempt, 3);
  assert.equal((await complete(service, third, 'Good morning.')).status, 200);
  assert.equal((await answered).body.content, 'Good morning.');
  assert.deepEqual(await transcriptOf(service, chat_id), [
    ['USER', 'Hello?'],
    ['AGENT', 'Good morning.'],
  ]);
  await service.close();
});

test('why a message gets no answer is told as far as the last worker says it, until the next message', async () => {
  const service = await served();
  const chat_id = await startChat(service);
  const fail = ({ task_id, lease_token }: Json, fields: Json) =>
    post(service, `/api/worker/tasks/${task_id}/fail`, { lease_token, error: 'x', retryable: false, ...fields }, null);
  const detail = 'llm needs a key: set OPENAI_API_KEY';
  const streamed = await stream(service, chat_id, 'Hello?');
  const [first = assert.fail()] = await claim(service);
  await fail(first, { retryable: true, detail: 'Not the last attempt.' });
  const [last = assert.fail()] = await claim(service);
  await fail(last, { detail });
  assert.deepEqual((await streamed.until('failed')).at(-1)?.[1], { code: 'turn_unanswered', detail });
  const silent = send(service, chat_id, 'Hello again?');
  const [next = assert.fail()] = await claim(service);
  await fail(next, {});
  const { body } = await silent;
  assert.deepEqual([body.code, body.detail.includes(detail)], ['turn_unanswered', false]);
  await service.close();
});

test('words of the user that follow a message without an answer are no answer', async () => {
  const service = await served({ CHAT_ANSWER_TIMEOUT_S: '2' });
  const chat_id = await startChat(service);
  const unanswered = send(service, chat_id, 'Hello?');
  await claim(service);
  const { room_name } = (await service.request('GET', `/api/sessions/${chat_id}`, { user: USER })).body;
  const said = { content: 'Anybody?', speaker: 'USER' };
  assert.equal((await post(service, `/api/sessions/by-room/${room_name}/transcripts`, said)).status, 201);
  assertRefused(await unanswered, 503, 'turn_unanswered');
  await service.close();
});

test('a message that no worker answers in time is withdrawn, and a late answer is refused', async () => {
  const service = await served({ CHAT_ANSWER_TIMEOUT_S: '3' });
  const chat_id = await startChat(service);
  const claimed = claim(service);
  const unanswered = send(service, chat_id, 'Hello?');
  const [task = assert.fail()] = await claimed;
  assertRefused(await unanswered, 503, 'turn_unanswered');
  assertRefused(await complete(service, task, 'Too late.'), 409, 'lease_lost');
  assert.deepEqual(await claim(service, { wait_s: 0 }), []);
  assert.deepEqual(await transcriptOf(service, chat_id), [['USER', 'Hello?']]);
  await service.close();
});

for (const [what, end] of [
  ['ends', (service: Service, chat_id: string) => post(service, `/api/chats/${chat_id}/end`)],
  ['is erased', (service: Service) => service.request('DELETE', `/api/users/${USER}`)],
] as const)
  test(`a chat that ${what} while a worker thinks gets no answer`, async () => {
    const service = await served();
    const chat_id = await startChat(service);
    const unanswered = send(service, chat_id, 'Hello?');
    const [task = assert.fail()] = await claim(service);
    assert.equal((await end(service, chat_id)).status, 200);
    assertRefused(await complete(service, task, 'Too late.'), 409, 'lease_lost');
    assertRefused(await unanswered, 503, 'turn_unanswered');
    const { db } = service.database;
    assert.deepEqual(await db.selectFrom('work').select('key').where('kind', '=', 'chat_turn').execute(), []);
    const said = await db.selectFrom('transcripts').select('content').execute();
    assert.deepEqual(said, what === 'ends' ? [{ content: 'Hello?' }] : []);
    if (what === 'is erased') assert.deepEqual(await db.selectFrom('chats').selectAll().execute(), []);
    await service.close();
  });

test('tasks go to several waiting workers by their capacity, and all of them to one that has room', async () => {
  const service = await served();
  const chats = [];
  for (let index = 0; index < 3; index++) chats.push(await startChat(service));
  const waiting = [claim(service, { capacity: 1 }), claim(service, { capacity: 2 })];
  const answers = chats.map((chat_id) => send(service, chat_id, 'Hello?'));
  let tasks = (await Promise.all(waiting)).flat();
  while (tasks.length < 3) tasks = [...tasks, ...(await claim(service, { capacity: 5 }))];
  assert.deepEqual(tasks.map(({ payload }) => payload.chat_id).sort(), chats.sort());
  for (const task of tasks) await complete(service, task, 'Hello.');
  assert.deepEqual(await Promise.all(answers.map(async (answer) => (await answer).status)), [200, 200, 200]);
  await service.close();
});

test('a message has up to 8,000 characters, and a claim up to 100 tasks', async () => {
  const service = await startService();
  const chat_id = await startChat(service);
  assert.equal((await send(service, chat_id, 'x'.repeat(8_000))).status, 200);
  assert.equal((await send(service, chat_id, 'x'.repeat(8_001))).status, 422);
  const claimed = (capacity: number) => post(service, '/api/worker/tasks/claim', { kind: 'chat_turn', capacity }, null);
  assert.deepEqual([(await claimed(100)).status, (await claimed(101)).status], [200, 422]);
  await service.close();
});

test('a chat has at most 200 messages', async () => {
  const service = await startService();
  const chat_id = await startChat(service);
  await service.database.db
    .updateTable('chats')
    .set({ messages: MAX_MESSAGES - 2 })
    .execute();
  assert.equal((await send(service, chat_id, 'Hello?')).status, 200);
  assertRefused(await send(service, chat_id, 'Hello?'), 409, 'chat_full');
  await service.close();
});

test('a chat counts as a phone of its user, is not found by others, and a session without a chat is none', async () => {
  const service = await startService({ env: { CALLS_CONCURRENT: '1', CALLS_BURST: '100' } });
  const agent_id = await createAgent(service, { config: CONFIG });
  const chats = await Promise.all(Array.from({ length: 10 }, () => post(service, '/api/chats', { agent_id })));
  assert.deepEqual([...new Set(chats.map(({ status }) => status))], [201]);
  assertRefused(await post(service, '/api/chats', { agent_id }), 429, 'too_many_calls');
  const [{ body: chat } = assert.fail()] = chats;
  assertRefused(
    await post(service, `/api/chats/${chat.chat_id}/messages`, { content: 'x' }, 'other'),
    404,
    'not_found',
  );
  const { body: session } = await post(service, '/api/sessions/', { user_id: USER });
  assertRefused(await service.request('GET', `/api/chats/${session.id}`), 404, 'not_found');
  assertRefused(await send(service, session.id, 'x'), 404, 'not_found');
  await service.close();
});
