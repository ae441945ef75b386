/** The worker in Python of examples/chat-worker, as docs/chats.md recommends it. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { type TestContext, test } from 'node:test';
import { createAgent, USER } from '@switchboard/testkit/calls.ts';
import type { Json } from '@switchboard/testkit/client.ts';
import { eventually } from '@switchboard/testkit/eventually.ts';
import { serveHttp } from '@switchboard/testkit/http-server.ts';
import { keysOf } from '@switchboard/testkit/keys.ts';
import { startProgram } from '@switchboard/testkit/program.ts';
import { type Service, startService } from '@switchboard/testkit/service.ts';
import { createSwitchboard } from '../packages/client/src/index.ts';
import { systemClock } from '../packages/server/src/lib/clock.ts';
import { createSandboxMedia } from '../packages/server/src/providers/sandbox/media.ts';

const WORKER = path.resolve(import.meta.dirname, '../examples/chat-worker/worker.py');
/** Longer to stream than the test takes to kill its worker. */
const HOURS = `The library opens ${'very '.repeat(300)}late on Sundays.`;

/** A service whose chats are answered by workers with a key. */
async function open(t: TestContext) {
  const { answerChat: _, ...media } = createSandboxMedia({ clock: systemClock, ringMs: 20 });
  const service = await startService({ media, env: { AUTH_MODE: 'required' } });
  t.after(() => service.close());
  const keys = keysOf(service.database);
  const { key: workerKey } = await keys.create({ name: 'Worker', role: 'worker' });
  const { key: apiKey } = await keys.create({ name: 'Customer', role: 'user', user_id: USER });
  const headers = { authorization: `Bearer ${apiKey}` };
  const agent_id = await createAgent(
    { request: (method, path, options) => service.request(method, path, { ...options, headers }) } as Service,
    { config: { instructions: `${HOURS} A library card costs {{price}} dollars.` } },
  );
  const { chats } = createSwitchboard({ baseUrl: service.url, apiKey });
  const { chat_id } = await chats.start({ agent_id, variables: { price: 'five' } });
  const startWorker = (url = service.url) => {
    const program = startProgram(['python3', WORKER], {
      env: { PATH: process.env.PATH, SWITCHBOARD_URL: url, SWITCHBOARD_API_KEY: workerKey },
    });
    t.after(() => program.end('SIGKILL'));
    return program;
  };
  return { service, chats, chat_id, startWorker };
}

test('the example is about sixty lines, and answers a chat in words that are streamed', {
  timeout: 60_000,
}, async (t) => {
  const lines = readFileSync(WORKER, 'utf8')
    .split('\n')
    .filter((line) => line.trim() !== '');
  assert.ok(lines.length <= 60, `${lines.length} lines`);
  const { chats, chat_id, startWorker } = await open(t);
  startWorker();
  const events: Json[] = [];
  for await (const one of chats.stream(chat_id, { content: 'How much is a card?' })) events.push(one);
  assert.deepEqual(
    events.slice(1, -1).map(({ event, data }) => [event, data.text]),
    ['A ', 'library ', 'card ', 'costs ', 'five ', 'dollars.'].map((text) => ['words', text]),
  );
  const { event, data } = events.at(-1) ?? assert.fail();
  assert.deepEqual([event, data.content], ['message', 'A library card costs five dollars.']);
  const unknown = await chats.send(chat_id, { content: 'Where?' });
  assert.equal(unknown.content, 'I am sorry, I have no information about that.');
});

test('another one answers when the example is killed in the middle of its answer', { timeout: 90_000 }, async (t) => {
  const { service, chats, chat_id, startWorker } = await open(t);
  const first = startWorker();
  const names: string[] = [];
  let answer: Json = {};
  for await (const one of chats.stream(chat_id, { content: 'When do you open on Sundays?' })) {
    if (one.event === 'words' && !names.includes('words')) {
      await first.end('SIGKILL');
      startWorker();
    }
    names.push(one.event);
    answer = one.data;
  }
  assert.ok(names.includes('restarted'), 'it was killed before its answer was complete');
  assert.equal(names.at(-1), 'message');
  assert.equal(answer.content, HOURS);
  const said = await service.database.db.selectFrom('transcripts').select('speaker').execute();
  assert.deepEqual(said.map(({ speaker }) => speaker).sort(), ['AGENT', 'USER']);
});

/** A proxy that passes a request on, unless it has another answer. */
async function openProxy(t: TestContext, url: string, answer: (path: string) => Promise<string | number | undefined>) {
  const proxy = await serveHttp(async (request, response) => {
    const { method = 'GET', url: target = '', headers } = request;
    const body = (await request.toArray()).join('');
    const own = await answer(target);
    if (typeof own === 'number') return response.writeHead(own).end();
    if (own !== undefined) return response.writeHead(200, { 'content-type': 'text/html' }).end(own);
    const sent = { 'content-type': 'application/json', authorization: String(headers.authorization) };
    const passed = await fetch(url + target, { method, body, headers: sent }).catch(() => undefined);
    return response.writeHead(passed?.status ?? 502).end(await passed?.text().catch(() => ''));
  });
  t.after(proxy.close);
  return proxy.url;
}

test('the example survives pages of a proxy, keeps its task, and has an answer taken that was refused', {
  timeout: 90_000,
}, async (t) => {
  const { service, chats, chat_id, startWorker } = await open(t);
  const paths: string[] = [];
  const count = (ending: string) => paths.filter((path) => path.endsWith(ending)).length;
  const url = await openProxy(t, service.url, async (path) => {
    paths.push(path);
    if (path.endsWith('claim') && count('claim') <= 8) return '<html>';
    if (path.endsWith('heartbeat') && count('heartbeat') === 1) return '<html>';
    if (path.endsWith('complete') && count('complete') === 1) return 503;
    // The first words take as long as two signs of life.
    if (path.endsWith('events') && count('events') === 1)
      await eventually(
        async () => count('heartbeat'),
        (many) => many > 1,
      );
    return undefined;
  });
  const worker = startWorker(url);
  const answer = await chats.send(chat_id, { content: 'How much is a card?' }, { timeoutMs: 80_000 });
  assert.equal(answer.content, 'A library card costs five dollars.');
  assert.deepEqual([count('fail'), count('complete')], [1, 2]);
  assert.match(worker.output(), /JSONDecodeError/);
  // A page for a heartbeat ends none of its threads.
  assert.doesNotMatch(worker.output(), /Exception in thread/);
});
