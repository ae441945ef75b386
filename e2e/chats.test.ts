/** Chats whose messages a real worker answers, without a media server: a chat needs none. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type TestContext, test } from 'node:test';
import { createAgent, USER } from '@switchboard/testkit/calls.ts';
import type { Json } from '@switchboard/testkit/client.ts';
import { eventually } from '@switchboard/testkit/eventually.ts';
import { freePorts } from '@switchboard/testkit/ports.ts';
import { startService } from '@switchboard/testkit/service.ts';
import { installWorker, WORKER_DIR } from '@switchboard/testkit/worker.ts';
import { createSwitchboard } from '../packages/client/src/index.ts';
import { systemClock } from '../packages/server/src/lib/clock.ts';
import { createSandboxMedia } from '../packages/server/src/providers/sandbox/media.ts';

const USAGE = { prompt_tokens: 90, completion_tokens: 7, total_tokens: 97 };

await installWorker();

test('a worker answers a chat in words, with a function, and books the usage; after SIGTERM it is gone', {
  timeout: 120_000,
}, async (t) => {
  const functions = await serve(t, (_body, response) => void response.end('{"opens":"10:00"}'));
  const model = await serve(t, think);
  const { answerChat: _, checkModel: __, ...media } = createSandboxMedia({ clock: systemClock, ringMs: 20 });
  const service = await startService({ media });
  const worker = await startWorker(t, service.url, model);
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
  const head = { id: 'c', object: 'chat.completion.chunk', created: 1, model: 'stand-in' };
  const chunk = (delta: object, finish_reason: string | null) => ({
    ...head,
    choices: [{ index: 0, delta, finish_reason }],
  });
  const end = chunk({}, isAfter ? 'stop' : 'tool_calls');
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  for (const one of [...deltas.map((delta) => chunk(delta, null)), end, { ...head, choices: [], usage: USAGE }])
    response.write(`data: ${JSON.stringify(one)}\n\n`);
  response.end('data: [DONE]\n\n');
}

/** A server for POST requests with JSON, until the test ends; returns its URL. */
async function serve(t: TestContext, answer: (body: Json, response: ServerResponse) => void): Promise<string> {
  const server = createServer(async (request: IncomingMessage, response) => {
    const text = Buffer.concat(await request.toArray()).toString();
    if (request.method === 'POST') answer(JSON.parse(text), response);
    else response.writeHead(404).end();
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
}

/** A worker whose media server does not exist. */
async function startWorker(t: TestContext, SWITCHBOARD_URL: string, model: string) {
  const SPOOL_DIR = await mkdtemp(path.join(tmpdir(), 'switchboard-chats-'));
  const [port = 0, nobody = 0] = await freePorts(2);
  const env = {
    PATH: process.env.PATH,
    HOME: process.env.HOME,
    LIVEKIT_URL: `ws://127.0.0.1:${nobody}`,
    LIVEKIT_API_KEY: 'key',
    LIVEKIT_API_SECRET: 'secret',
    LIVEKIT_AGENT_NAME: 'nobody',
    SWITCHBOARD_URL,
    MODEL_BASE_URLS: model,
    FUNCTIONS_SECRET: `whsec_${Buffer.alloc(32).toString('base64')}`,
    FUNCTIONS_ALLOW_PRIVATE: 'true',
    WORKER_PORT: String(port),
    WORKER_DRAIN_S: '0',
    LOG_LEVEL: 'fatal',
    SPOOL_DIR,
  };
  const worker = spawn(process.execPath, ['worker.ts'], {
    cwd: WORKER_DIR,
    env,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const gone = once(worker, 'exit');
  t.after(async () => {
    worker.kill('SIGKILL');
    await gone;
    await rm(SPOOL_DIR, { recursive: true, force: true });
  });
  return worker;
}
