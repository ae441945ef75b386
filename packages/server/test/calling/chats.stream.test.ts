import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createAgent, USER } from '@switchboard/testkit/calls.ts';
import { eventually } from '@switchboard/testkit/eventually.ts';
import { median } from '@switchboard/testkit/median.ts';
import { startService } from '@switchboard/testkit/service.ts';
import { MAX_REPORTED_BYTES, MAX_REPORTS } from '../../src/calling/chats/schema.ts';
import { assertRefused } from '../support/answers.ts';
import { claim, complete, post, report, send, served, startChat, stream, transcriptOf } from '../support/chats.ts';

const words = (text: string) => ({ type: 'words', text });
const CALL = { call_id: 'c1', name: 'opening_hours', arguments: { day: 'Sunday' } };
const RESULT = { call_id: 'c1', result: '{"opens":"10:00"}' };
const USED = { model: 'gpt', input_tokens: 90, output_tokens: 7 };

test('an answer is streamed while its worker reports it: words, tool calls, usage, then the message', async () => {
  const service = await served();
  const chat_id = await startChat(service);
  const answer = await stream(service, chat_id, 'When do you open?');
  assert.equal(answer.response.status, 200);
  const [[, sent] = assert.fail()] = await answer.until('sent');
  const [task = assert.fail()] = await claim(service);
  const extended = await report(service, task, words('We '), { type: 'tool_call', ...CALL });
  assert.ok(extended.body.lease_expires_at >= task.lease_expires_at);
  // Before the turn has ended.
  assert.deepEqual((await answer.until('tool_call')).slice(1), [
    ['words', { text: 'We ' }],
    ['tool_call', CALL],
  ]);
  await report(service, task, { type: 'tool_result', ...RESULT }, words('open at ten.'), { type: 'usage', ...USED });
  await complete(service, task, 'We open at ten.');
  const events = await answer.until('message');
  assert.deepEqual(events.slice(3, -1), [
    ['tool_result', RESULT],
    ['words', { text: 'open at ten.' }],
    ['usage', USED],
  ]);
  const [, message] = events.at(-1) ?? assert.fail();
  assert.deepEqual([message.content, message.in_reply_to], ['We open at ten.', sent.message_id]);
  assert.deepEqual(message.tool_calls, [{ ...CALL, result: RESULT.result, is_error: false }]);
  await service.close();
});

test('words that a worker reports to another process are heard a tenth of a second later', async () => {
  const service = await served();
  const replica = await served({}, service.database);
  const chat_id = await startChat(service);
  const answer = await stream(service, chat_id, 'When do you open?');
  const [task = assert.fail()] = await claim(replica);
  const [waits, own]: [number[], number[]] = [[], []];
  for (let count = 0; count < 18; count++) {
    const isOwn = count % 2 === 0;
    const begun = performance.now();
    await report(isOwn ? service : replica, task, words(`${count} `));
    const events = await answer.until('words');
    (isOwn ? own : waits).push(performance.now() - begun);
    // The last one, so that the next one of its name is waited for.
    events.push(['read', {}]);
  }
  // Words from its own process are slowed down by a busy machine, too.
  assert.ok(median(waits) - median(own) < 300, `${waits.map(Math.round).join(', ')} ms`);
  await complete(replica, task, 'At ten.');
  await answer.until('message');
  await replica.close();
  await service.close();
});

test('each of several answers in a row that another process stores is noticed, not only the first', async () => {
  // A message that is answered before its first look is as absent from the work as the one before it.
  const service = await served({ CHAT_ANSWER_TIMEOUT_S: '300' });
  const replica = await served({}, service.database);
  const chat_id = await startChat(service);
  for (const content of ['One.', 'Two.', 'Three.', 'Four.']) {
    const asked = send(service, chat_id, 'Count.');
    const [task = assert.fail()] = await claim(service);
    await complete(replica, task, content);
    assert.equal((await asked).body.content, content);
  }
  await replica.close();
  await service.close();
});

test('a model that took over comes with the answer, and stays on the timeline of the chat', async () => {
  const service = await served();
  const chat_id = await startChat(service);
  const answer = await stream(service, chat_id, 'Hello?');
  const [task = assert.fail()] = await claim(service);
  const over = { kind: 'llm', from: 'openai/a', to: 'groq/b', reason: 'timeout' };
  await report(service, task, words('Hel'), { type: 'failed_over', ...over }, words('lo.'));
  await complete(service, task, 'Hello.');
  const events = await answer.until('message');
  assert.deepEqual(events[2], ['failed_over', over]);
  const { body } = await service.request('GET', `/api/chats/${chat_id}`, { user: USER });
  assert.deepEqual(
    body.timeline.map(({ status, failed_over }: { status: string; failed_over: object | null }) => [
      status,
      failed_over,
    ]),
    [
      ['ACTIVE', null],
      ['ACTIVE', over],
    ],
  );
  await service.close();
});

test('the events of an attempt that failed are no part of the answer, and its worker is refused', async () => {
  const service = await served();
  const chat_id = await startChat(service);
  const answer = await stream(service, chat_id, 'Hello?');
  const [late = assert.fail()] = await claim(service);
  await report(service, late, words('Good eve'), { type: 'tool_call', ...CALL });
  // As if it had not been heard from for half a minute.
  await service.database.db
    .updateTable('work')
    .set({ leased_until: new Date(0) })
    .execute();
  const [task = assert.fail()] = await claim(service);
  assertRefused(await report(service, late, words('ning.')), 409, 'lease_lost');
  await report(service, task, words('Hi.'));
  await complete(service, task, 'Hi.');
  assertRefused(await report(service, task, words('More.')), 409, 'lease_lost');
  const events = await answer.until('message');
  assert.deepEqual(
    events.slice(1, -1).map(([name]) => name),
    ['words', 'tool_call', 'restarted', 'words'],
  );
  assert.deepEqual(events.at(-1)?.[1].tool_calls, []);
  await service.close();
});

test('events of a wrong form are a 422 that names them, and store nothing', async () => {
  const service = await served();
  const chat_id = await startChat(service);
  const answered = send(service, chat_id, 'Hello?');
  const [task = assert.fail()] = await claim(service);
  for (const wrong of [{ type: 'words' }, { type: 'song', text: 'la' }, { ...words('x'), extra: 1 }, {}]) {
    const { status, body } = await report(service, task, words('Good'), wrong);
    assert.deepEqual([status, body.detail[0].loc], [422, ['body', 'events', 1]], JSON.stringify(wrong));
  }
  assert.equal((await report(service, task)).status, 422);
  await complete(service, task, 'Hello.');
  assert.deepEqual((await answered).body.tool_calls, []);
  assert.deepEqual(await service.database.db.selectFrom('chat_events').selectAll().execute(), []);
  await service.close();
});

test('a request has up to 100 events, and a turn up to 1,000 requests and 256 KiB of them', async () => {
  const service = await served();
  const chat_id = await startChat(service);
  const answered = send(service, chat_id, 'Hello?');
  const [task = assert.fail()] = await claim(service);
  assert.equal((await report(service, task, ...Array(100).fill(words('x')))).status, 200);
  assert.equal((await report(service, task, ...Array(101).fill(words('x')))).status, 422);
  const { db } = service.database;
  const one = JSON.stringify([words('x')]);
  const rows = Array.from({ length: MAX_REPORTS - 2 }, (_, at) => ({
    session_id: chat_id,
    seq: at + 2,
    lease_token: task.lease_token,
    events: one,
  }));
  await db.insertInto('chat_events').values(rows).execute();
  assert.equal((await report(service, task, words('x'))).status, 200);
  assertRefused(await report(service, task, words('x')), 409, 'turn_full');
  await db.deleteFrom('chat_events').where('seq', '>', 1).execute();
  const long = words('x'.repeat(8_000));
  let kept = 0;
  while ((await report(service, task, long)).status === 200) kept += 1;
  assert.ok(kept * 8_000 <= MAX_REPORTED_BYTES && (kept + 2) * 8_040 > MAX_REPORTED_BYTES, `${kept}`);
  // The worker still holds the task.
  assert.equal((await complete(service, task, 'Hello.')).status, 200);
  assert.equal((await answered).status, 200);
  await service.close();
});

test('a client that leaves its stream changes nothing: the answer is in the transcript, and the next turn has no old events', async () => {
  const service = await served();
  const chat_id = await startChat(service);
  const answer = await stream(service, chat_id, 'Hello?');
  await answer.until('sent');
  const [task = assert.fail()] = await claim(service);
  answer.leave();
  await report(service, task, words('Hel'), { type: 'tool_call', ...CALL });
  assert.equal((await complete(service, task, 'Hello.')).status, 200);
  assert.deepEqual(await transcriptOf(service, chat_id), [
    ['USER', 'Hello?'],
    ['AGENT', 'Hello.'],
  ]);
  const again = send(service, chat_id, 'Still there?');
  const [next = assert.fail()] = await claim(service);
  await complete(service, next, 'Yes.');
  assert.deepEqual((await again).body.tool_calls, []);
  await service.close();
});

test('a client that leaves, or does not read, does not keep a message alive that no worker answers', async () => {
  const service = await served({ CHAT_ANSWER_TIMEOUT_S: '1' });
  const chat_id = await startChat(service);
  const left = await stream(service, chat_id, 'Hello?');
  left.leave();
  // Refused while the first message waits for its answer.
  const unread = await eventually(
    () => stream(service, chat_id, 'Hello?'),
    ({ response }) => response.status === 200,
  );
  const { status } = await eventually(
    () => send(service, chat_id, 'Anybody?'),
    (answer) => answer.status !== 409,
  );
  assert.equal(status, 503);
  assert.deepEqual((await unread.until('failed')).at(-1)?.[1].code, 'turn_unanswered');
  await service.close();
});

test('a refused message is an answer in JSON, also for a client that asks for a stream', async () => {
  const service = await served();
  const chat_id = await startChat(service);
  await post(service, `/api/chats/${chat_id}/end`);
  const { response } = await stream(service, chat_id, 'Hello?');
  assert.equal(response.status, 409);
  assert.match(response.headers.get('content-type') ?? '', /^application\/json/);
  await service.close();
});

test('the sandbox streams its words, and shows which tool it would call', async () => {
  const service = await startService();
  const functions = [
    { name: 'order_status', description: 'Looks up the status of an order.', url: 'https://example.com/orders' },
    { name: 7 },
    null,
  ];
  const agent_id = await createAgent(service, { config: { instructions: 'We sell tea.', tools: { functions } } });
  const { body: chat } = await post(service, '/api/chats', { agent_id });
  const events = await (await stream(service, chat.chat_id, 'What is the status of my order?')).until('message');
  const [, { content, tool_calls }] = events.at(-1) ?? assert.fail();
  const said = events.flatMap(([name, { text }]) => (name === 'words' ? text : [])).join('');
  assert.equal(said, content);
  assert.deepEqual(
    tool_calls.map(({ name, result }: { name: string; result: string }) => [name, result]),
    [['order_status', 'This is the sandbox, so nothing was called.']],
  );
  assert.ok(events.some(([name]) => name === 'usage'));
  await service.close();
});

test('a stream that is one too many sends no message, and its place is free once another one ends', async () => {
  const service = await served({ MAX_STREAMS_PER_USER: '1' });
  const [chat_id, other] = [await startChat(service), await startChat(service)];
  const open = await stream(service, chat_id, 'Hello?');
  await open.until('sent');
  const refused = await stream(service, other, 'Hello?');
  assert.equal(refused.response.status, 429);
  assert.deepEqual(await transcriptOf(service, other), []);
  // Nor does a message that is refused keep its place.
  open.leave();
  const again = () => stream(service, chat_id, 'Hello again?');
  for (let times = 0; times < 2; times++) {
    const { response } = await eventually(again, (answer) => answer.response.status !== 429);
    assert.equal(response.status, 409);
  }
  await service.close();
});
