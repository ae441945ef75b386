import assert from 'node:assert/strict';
import { test } from 'node:test';
import { USER } from '@switchboard/testkit/calls.ts';
import type { Json } from '@switchboard/testkit/client.ts';
import type { Service } from '@switchboard/testkit/service.ts';
import { MAX_REMEMBERED_BYTES } from '../../src/calling/chats/schema.ts';
import { claim, complete, post, report, send, served, startChat } from '../support/chats.ts';

const callOf = (call_id: string, day: string) => ({ call_id, name: 'opening_hours', arguments: { day } });
const done = (call_id: string, result = '{"opens":"10:00"}') => ({ type: 'tool_result', call_id, result });
const shown = (call_id: string, day: string) => ({
  ...callOf(call_id, day),
  result: '{"opens":"10:00"}',
  is_error: false,
});

/** Sends a message, and answers it as a worker that has made these reports; returns the payload of its task. */
async function turn(service: Service, chat_id: string, content: string, ...reports: object[][]) {
  const answered = send(service, chat_id, content);
  const [task = assert.fail()] = await claim(service);
  for (const events of reports) assert.equal((await report(service, task, ...events)).status, 200);
  assert.equal((await complete(service, task, `Answer to ${content}`)).status, 200);
  const { status, body: answer } = await answered;
  assert.equal(status, 200, JSON.stringify(answer));
  return { payload: task.payload as Json, answer };
}

const toolCallsIn = ({ messages }: Json) => messages.map((one: Json) => one.tool_calls ?? null);
const rowsIn = (service: Service) =>
  service.database.db.selectFrom('chat_tool_calls').select(['session_id', 'calls']).execute();

test('a worker gets the tool calls of earlier turns with their answers, but not those of an attempt that failed', async () => {
  const service = await served();
  const chat_id = await startChat(service);
  const answered = send(service, chat_id, 'On Sunday?');
  const [late = assert.fail()] = await claim(service);
  await report(service, late, { type: 'tool_call', ...callOf('late', 'Friday') });
  await post(service, `/api/worker/tasks/${late.task_id}/fail`, {
    lease_token: late.lease_token,
    error: 'The model failed.',
    retryable: true,
  });
  const [task = assert.fail()] = await claim(service);
  await report(
    service,
    task,
    { type: 'tool_call', ...callOf('c1', 'Sunday') },
    { type: 'tool_call', ...callOf('c2', 'Monday') },
    done('c1'),
  );
  await complete(service, task, 'At ten.');
  const unfinished = { ...callOf('c2', 'Monday'), result: null, is_error: false };
  assert.deepEqual((await answered).body.tool_calls, [shown('c1', 'Sunday'), unfinished]);
  const { payload, answer } = await turn(service, chat_id, 'Thanks.');
  assert.deepEqual(toolCallsIn(payload), [null, [shown('c1', 'Sunday'), unfinished], null]);
  assert.deepEqual(answer.tool_calls, []);
  await service.close();
});

test('a fork has copies of the tool calls, a rewound chat has lost them, and an erasure leaves none', async () => {
  const service = await served();
  const chat_id = await startChat(service);
  const call = (id: string, day: string) => [{ type: 'tool_call', ...callOf(id, day) }, done(id)];
  const { answer: first } = await turn(service, chat_id, 'On Sunday?', call('c1', 'Sunday'));
  await turn(service, chat_id, 'On Monday?', call('c2', 'Monday'));
  const { body: fork } = await post(service, `/api/chats/${chat_id}/fork`, {});
  await post(service, `/api/chats/${chat_id}/rewind`, { to_message: first.message_id });
  const { payload: rewound } = await turn(service, chat_id, 'Thanks.');
  assert.deepEqual(toolCallsIn(rewound), [null, [shown('c1', 'Sunday')], null]);
  const { payload: forked } = await turn(service, fork.chat_id, 'Thanks.');
  assert.deepEqual(toolCallsIn(forked), [null, [shown('c1', 'Sunday')], null, [shown('c2', 'Monday')], null]);
  assert.equal((await rowsIn(service)).length, 3);
  assert.equal((await service.request('DELETE', `/api/users/${USER}`)).status, 200);
  assert.deepEqual(await rowsIn(service), []);
  await service.close();
});

test('a chat remembers up to 256 KiB of tool calls beside those of its last answer, the newest', async () => {
  const service = await served();
  const chat_id = await startChat(service);
  const result = 'x'.repeat(8_000);
  // 15 calls of a little more than 8,000 bytes: two turns of them fit, three do not.
  const many = (turnName: string) =>
    Array.from({ length: 15 }, (_, at) => `${turnName}${at}`).map((id) => [
      { type: 'tool_call', ...callOf(id, 'Sunday') },
      done(id, result),
    ]);
  for (const name of ['a', 'b', 'c', 'd']) await turn(service, chat_id, name, ...many(name));
  const { payload } = await turn(service, chat_id, 'Thanks.');
  const counts = toolCallsIn(payload).map((calls: Json[] | null) => calls?.length ?? 0);
  assert.deepEqual(counts, [0, 0, 0, 15, 0, 15, 0, 15, 0]);
  const kept = (await rowsIn(service)).reduce((sum, { calls }) => sum + Buffer.byteLength(JSON.stringify(calls)), 0);
  assert.ok(kept > MAX_REMEMBERED_BYTES, `${kept}`);
  await service.close();
});
