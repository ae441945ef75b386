// Messages that are sent again under the same Idempotency-Key, because the response was lost.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startService } from '@switchboard/testkit/service.ts';
import { assertRefused, problemsOf } from '../support/answers.ts';
import { claim, complete, post, report, send, served, startChat, stream, transcriptOf } from '../support/chats.ts';

const words = (text: string) => ({ type: 'words', text });

test('a message whose response was lost is sent, answered and booked once, and the answer is the same', async () => {
  const service = await startService();
  const chat_id = await startChat(service);
  const first = await send(service, chat_id, 'When do you open on Sunday?', 'key-1');
  assert.equal(first.status, 200);
  const again = await send(service, chat_id, 'When do you open on Sunday?', 'key-1');
  assert.deepEqual([again.status, again.body], [200, first.body]);
  const next = await send(service, chat_id, 'How much is a library card?', 'key-2');
  assert.notEqual(next.body.message_id, first.body.message_id);
  await post(service, `/api/chats/${chat_id}/end`);
  // Also later in the chat, and after its end.
  assert.deepEqual((await send(service, chat_id, 'When do you open on Sunday?', 'key-1')).body, first.body);
  assert.equal((await transcriptOf(service, chat_id)).length, 4);
  assertRefused(await send(service, chat_id, 'Hello?', 'key-3'), 409, 'session_over');
  await service.close();
});

test('a key belongs to one message of one chat', async () => {
  const service = await startService();
  const [chat_id, other] = [await startChat(service), await startChat(service)];
  assert.equal((await send(service, chat_id, 'Hello?', 'key')).status, 200);
  for (const [to, content] of [
    [chat_id, 'Hello again?'],
    [other, 'Hello?'],
  ] as const) {
    assert.deepEqual(problemsOf(await send(service, to, content, 'key')), ['header.idempotency-key value_error']);
  }
  assert.deepEqual([(await transcriptOf(service, chat_id)).length, await transcriptOf(service, other)], [2, []]);
  await service.close();
});

test('a message that waits for its answer waits once: whoever repeats it gets the same answer', async () => {
  const service = await served();
  const chat_id = await startChat(service);
  const left = await stream(service, chat_id, 'Hello?', 'key');
  await left.until('sent');
  left.leave();
  const [task = assert.fail()] = await claim(service);
  await report(service, task, words('Good '));
  const [waiting, streamed] = [
    send(service, chat_id, 'Hello?', 'key'),
    await stream(service, chat_id, 'Hello?', 'key'),
  ];
  // From the first word on.
  assert.deepEqual((await streamed.until('words')).at(-1)?.[1], { text: 'Good ' });
  assertRefused(await send(service, chat_id, 'Hello?', 'another key'), 409, 'turn_in_progress');
  await report(service, task, words('morning.'));
  await complete(service, task, 'Good morning.');
  const events = await streamed.until('message');
  assert.deepEqual(
    events.map(([event]) => event),
    ['sent', 'words', 'words', 'message'],
  );
  assert.deepEqual((await waiting).body, events.at(-1)?.[1]);
  assert.deepEqual(await transcriptOf(service, chat_id), [
    ['USER', 'Hello?'],
    ['AGENT', 'Good morning.'],
  ]);
  await service.close();
});

test('the stream of an answer that is there has nothing of the next turn', async () => {
  const service = await served();
  const chat_id = await startChat(service);
  const first = send(service, chat_id, 'Hello?', 'key');
  const [task = assert.fail()] = await claim(service);
  await complete(service, task, 'Good morning.');
  const { body } = await first;
  const next = send(service, chat_id, 'When do you open?');
  const [another = assert.fail()] = await claim(service);
  await report(service, another, words('We open '));
  const events = await (await stream(service, chat_id, 'Hello?', 'key')).until('message');
  assert.deepEqual(events, [
    ['sent', { chat_id, message_id: body.in_reply_to }],
    ['message', body],
  ]);
  await complete(service, another, 'We open at ten.');
  assert.equal((await next).status, 200);
  await service.close();
});

test('a message without an answer, or rewound since, is not sent again under its key, and may be under another', async () => {
  const service = await served();
  const chat_id = await startChat(service);
  const first = send(service, chat_id, 'Hello?', 'key');
  const [task = assert.fail()] = await claim(service);
  const failed = { lease_token: task.lease_token, retryable: false, error: 'no model' };
  await post(service, `/api/worker/tasks/${task.task_id}/fail`, failed, null);
  for (const answer of [await first, await send(service, chat_id, 'Hello?', 'key')])
    assertRefused(answer, 503, 'turn_unanswered');
  assert.deepEqual(await claim(service, { wait_s: 0 }), []);
  await post(service, `/api/chats/${chat_id}/rewind`, { to_message: null });
  const again = send(service, chat_id, 'Hello?', 'another key');
  const [next = assert.fail()] = await claim(service);
  await complete(service, next, 'Good morning.');
  assert.equal((await again).status, 200);
  assertRefused(await send(service, chat_id, 'Hello?', 'key'), 503, 'turn_unanswered');
  assert.equal((await transcriptOf(service, chat_id)).length, 2);
  await service.close();
});

test('of requests that arrive together, one sends the message', async () => {
  const service = await startService();
  const chat_id = await startChat(service);
  const answers = await Promise.all(Array.from({ length: 5 }, () => send(service, chat_id, 'Hello?', 'key')));
  for (const { status, body } of answers)
    assert.ok(status === 200 || body.code === 'idempotency_in_progress', JSON.stringify(body));
  assert.ok(answers.some(({ status }) => status === 200));
  assert.equal((await transcriptOf(service, chat_id)).length, 2);
  await service.close();
});
