/** Chats whose messages a real worker answers, without a media server: a chat needs none. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { test } from 'node:test';
import { createAgent, USER } from '@switchboard/testkit/calls.ts';
import type { Json } from '@switchboard/testkit/client.ts';
import { eventually } from '@switchboard/testkit/eventually.ts';
import { startService } from '@switchboard/testkit/service.ts';
import { installWorker } from '@switchboard/testkit/worker.ts';
import { createSwitchboard } from '../packages/client/src/index.ts';
import { systemClock } from '../packages/server/src/lib/clock.ts';
import { createSandboxMedia } from '../packages/server/src/providers/sandbox/media.ts';
import { chunksOf, makeChatSpool, serve, startChatWorker } from './support/chat-worker.ts';

const USAGE = { prompt_tokens: 90, completion_tokens: 7, total_tokens: 97 };

await installWorker();

test('a worker answers a chat in words, with a function, and books the usage; after SIGTERM it is gone', {
  timeout: 120_000,
}, async (t) => {
  const functions = await serve(t, (_body, response) => void response.end('{"opens":"10:00"}'));
  const model = await serve(t, think);
  const { answerChat: _, checkModel: __, ...media } = createSandboxMedia({ clock: systemClock, ringMs: 20 });
  const service = await startService({ media });
  const worker = await startChatWorker(t, service.url, model, await makeChatSpool(t));
  const tools = { functions: [{ name: 'opening_hours', description: 'Opening hours.', url: functions }] };
  const llm = { provider: 'openai', model: 'stand-in', base_url: model };
  const agent_id = await createAgent(service, { config: { instructions: 'Be kind to {{name}}.', llm, tools } });
  const { chats } = createSwitchboard({ baseUrl: service.url, userId: USER });
  const { chat_id } = await chats.start({ agent_id, variables: { name: 'Ada' } });

  const events: Json[] = [];
  for await (const one of chats.stream(chat_id, { content: 'When do you open?' })) events.push(one);
  const { event, data: last } = events.at(-1) ?? assert.fail();
  assert.deepEqual([event, last.content], ['message', 'One moment. We open at ten, Ada.'], JSON.stringify(last));
  const [call, ...others] = last.tool_calls;
  assert.deepEqual(call, {
    call_id: 'call_1',
    name: 'opening_hours',
    arguments: { day: 'Sunday' },
    result: '{"opens":"10:00"}',
    is_error: false,
  });
  assert.deepEqual([others, last.is_simulated], [[], false]);
  const words = events.map((one) => (one.event === 'words' ? one.data.text : '')).join('');
  assert.equal(words, last.content);
  assert.equal(events.filter((one) => one.event === 'usage').length, 2);

  const { body } = await eventually(
    () => service.request('GET', `/api/usage/events?session_id=${chat_id}`, { user: USER }),
    (answer) => answer.body.items.length >= 4,
  );
  const booked = body.items.map((one: Json) => [one.provider, one.model, one.event_type, Number(one.quantity)]);
  assert.deepEqual(booked.sort(), [
    ['local', 'stand-in', 'llm_input_tokens', 90],
    ['local', 'stand-in', 'llm_input_tokens', 90],
    ['local', 'stand-in', 'llm_output_tokens', 7],
    ['local', 'stand-in', 'llm_output_tokens', 7],
  ]);
  worker.kill('SIGTERM');
  assert.deepEqual(await once(worker, 'exit'), [0, null]);
  await service.close();
});

/** Calls the function, and then answers with the name that stands in the instructions. */
function think({ messages }: Json, response: ServerResponse): void {
  const isAfter = messages.at(-1).role === 'tool';
  const [, name] = /kind to (\w+)/.exec(messages[0].content) ?? [];
  const call = { name: 'opening_hours', arguments: '{"day":"Sunday"}' };
  const deltas: object[] = isAfter
    ? [{ content: 'We open ' }, { content: `at ten, ${name}.` }]
    : [{ content: 'One moment.' }, { tool_calls: [{ index: 0, id: 'call_1', type: 'function', function: call }] }];
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  const chunks = chunksOf(deltas, USAGE, isAfter ? 'stop' : 'tool_calls');
  response.end(chunks.map((chunk) => `data: ${chunk}\n\n`).join(''));
}
