/** Kills the worker, and the service, at any moment of a turn: it has one answer, and what was used is booked once. */
import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import { type TestContext, test } from 'node:test';
import { createAgent, USER } from '@switchboard/testkit/calls.ts';
import { type Answer, type Json, request } from '@switchboard/testkit/client.ts';
import { eventually } from '@switchboard/testkit/eventually.ts';
import { serveHttp } from '@switchboard/testkit/http-server.ts';
import { freePort } from '@switchboard/testkit/ports.ts';
import { startService } from '@switchboard/testkit/service.ts';
import { type ServiceProcess, startProcess } from '@switchboard/testkit/service-process.ts';
import { installWorker } from '@switchboard/testkit/worker.ts';
import { createSwitchboard } from '../packages/client/src/index.ts';
import { systemClock } from '../packages/server/src/lib/clock.ts';
import { createSandboxMedia } from '../packages/server/src/providers/sandbox/media.ts';
import { chunksOf, makeChatSpool, serve, startChatWorker } from './support/chat-worker.ts';

const USAGE = { prompt_tokens: 90, completion_tokens: 7, total_tokens: 97 };
/** Usage events of a response: of input and of output. */
const EVENTS = 2;
const ANSWER = 'We open at ten on Sundays.';
/** A lease of half a minute ends by itself. */
const options = { timeout: 400_000 };

await installWorker();

/** Where a model stops once for a message of this content: before its first word, after it, or after a function. */
type Moment = 'before words' | 'in words' | 'after a function';

/** A model that stops once for each moment, until it is told to go on, and counts its complete responses. */
async function startModel(t: TestContext) {
  const held = new Map<string, () => void>();
  const stopped = new Set<string>();
  const completed = new Map<string, number>();
  async function think({ messages }: Json, response: ServerResponse): Promise<void> {
    const moment: string = messages.findLast(({ role }: Json) => role === 'user').content;
    const isAfter = messages.at(-1).role === 'tool';
    const mayStop = moment !== 'after a function' || isAfter;
    const call = { name: 'opening_hours', arguments: '{"day":"Sunday"}' };
    const calls = [{ tool_calls: [{ index: 0, id: 'call_1', type: 'function', function: call }] }];
    const isCalling = moment === 'after a function' && !isAfter;
    const chunks = chunksOf(isCalling ? calls : [{ content: 'We open ' }, { content: 'at ten on Sundays.' }], USAGE);
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    const write = (...some: string[]) => response.write(some.map((chunk) => `data: ${chunk}\n\n`).join(''));
    if (moment === 'in words') write(...chunks.splice(0, 1));
    if (mayStop && ['before words', 'in words', 'after a function'].includes(moment) && !stopped.has(moment)) {
      stopped.add(moment);
      await new Promise<void>((resolve) => held.set(moment, resolve));
    }
    if (response.destroyed) return;
    write(...chunks);
    completed.set(moment, (completed.get(moment) ?? 0) + 1);
    response.end();
  }
  const url = await serve(t, (body, response) => void think(body, response));
  return { url, held, completed };
}

async function startFunction(t: TestContext): Promise<string> {
  return serve(t, (_body, response) => void response.end('{"opens":"10:00"}'));
}

const configOf = (base_url: string, url: string) => ({
  instructions: 'Be kind.',
  llm: { provider: 'openai', model: 'stand-in', base_url },
  tools: { functions: [{ name: 'opening_hours', description: 'Opening hours.', url }] },
});

type Ask = (path: string) => Promise<Json>;

/** Waits until all that was used is booked, and then asserts that it was booked once. */
async function assertBookedOnce(ask: Ask, chat_id: string, responses: number): Promise<void> {
  const booked = () => ask(`/api/usage/events?session_id=${chat_id}&limit=100`);
  const { items } = await eventually(booked, (body) => body.items.length >= responses * EVENTS);
  assert.equal(items.length, responses * EVENTS);
}

async function saidIn(ask: Ask, chat_id: string): Promise<string[][]> {
  const { items } = await ask(`/api/sessions/${chat_id}/transcripts?limit=100`);
  return items.map(({ speaker, content }: Json) => [speaker, content]);
}

test(
  'a worker that is killed before, in and between its words is replaced: one answer, and all usage once',
  options,
  async (t) => {
    const model = await startModel(t);
    const { answerChat: _, ...media } = createSandboxMedia({ clock: systemClock, ringMs: 20 });
    const service = await startService({ media, env: { CHAT_ANSWER_TIMEOUT_S: '200' } });
    t.after(() => service.close());
    const ask: Ask = async (path) => (await service.request('GET', path, { user: USER })).body;
    const spool = await makeChatSpool(t);
    const worker = await startChatWorker(t, service.url, model.url, spool);
    const agent_id = await createAgent(service, { config: configOf(model.url, await startFunction(t)) });
    const { chats } = createSwitchboard({ baseUrl: service.url, userId: USER });

    const moments: Moment[] = ['before words', 'in words', 'after a function'];
    const asked = await Promise.all(
      moments.map(async (content) => {
        const { chat_id } = await chats.start({ agent_id });
        const names: string[] = [];
        let last: Json = {};
        const read = async () => {
          for await (const { event, data } of chats.stream(chat_id, { content })) {
            names.push(event);
            last = data;
          }
          return last;
        };
        return { content, chat_id, names, answered: read() };
      }),
    );
    const [, inWords = assert.fail(), afterFunction = assert.fail()] = asked;
    await eventually(
      async () => model.held.size === 3 && inWords.names.includes('words') && afterFunction.names.includes('usage'),
      (isSo) => isSo,
      60_000,
    );
    await assertBookedOnce(ask, afterFunction.chat_id, 1);
    worker.kill('SIGKILL');
    // With the reports that the first one may have left.
    await startChatWorker(t, service.url, model.url, spool);
    for (const { content, chat_id, names, answered } of asked) {
      assert.equal((await answered).content, ANSWER, content);
      assert.equal(names.includes('restarted'), content !== 'before words', content);
      assert.deepEqual(await saidIn(ask, chat_id), [
        ['USER', content],
        ['AGENT', ANSWER],
      ]);
      await assertBookedOnce(ask, chat_id, model.completed.get(content) ?? 0);
    }
  },
);

/** A proxy in front of a service that can be killed when a worker completes a turn. */
async function startProxy(t: TestContext, target: () => string) {
  const hooks: { before?: () => Promise<unknown>; after?: () => Promise<unknown> } = {};
  const proxy = await serveHttp(async (asked, response) => {
    const { host: _, connection: __, 'transfer-encoding': ___, ...headers } = asked.headers;
    const body = Buffer.concat(await asked.toArray());
    const isCompleting = asked.url?.endsWith('/complete') ?? false;
    const once = async (name: 'before' | 'after') => {
      const hook = hooks[name];
      if (!isCompleting || !hook) return;
      delete hooks[name];
      await hook();
    };
    try {
      await once('before');
      const answer = await fetch(`${target()}${asked.url}`, {
        method: asked.method ?? 'GET',
        headers: headers as Record<string, string>,
        ...(body.length > 0 && { body }),
      });
      const text = await answer.text();
      await once('after');
      response.writeHead(answer.status, { 'content-type': 'application/json' }).end(text);
    } catch {
      response.destroy();
    }
  });
  t.after(proxy.close);
  return { url: proxy.url, hooks };
}

test('a service that is killed in a turn has one answer after its restart, and all usage once', options, async (t) => {
  const model = await startModel(t);
  const DATA_DIR = await makeChatSpool(t);
  const [port, nobody] = [await freePort(), await freePort()];
  const start = () =>
    startProcess({
      DATA_DIR,
      PORT: String(port),
      LIVEKIT_URL: `ws://127.0.0.1:${nobody}`,
      LIVEKIT_API_KEY: 'key',
      LIVEKIT_API_SECRET: 'a secret of thirty-two characters',
      LIVEKIT_SIP_TRUNK_ID: 'ST_unknown',
      LIVEKIT_AGENT_NAME: 'nobody',
      CALLING_COUNTRIES: 'US',
      CHAT_ANSWER_TIMEOUT_S: '200',
    });
  let service: ServiceProcess = await start();
  let restarting: Promise<void> | null = null;
  t.after(async () => {
    await restarting;
    await service.end('SIGKILL');
  });
  const restart = () => {
    restarting = (async () => {
      await service.end('SIGKILL');
      service = await start();
    })();
    return restarting;
  };
  /** Asks again after a connection of the service that was killed. */
  const asked = (method: string, path: string, fields: object = {}) =>
    eventually(
      () => request(service.url, { method, path, user: USER, ...fields }).catch(() => null),
      (answer) => answer !== null,
    ) as Promise<Answer>;
  const ask: Ask = async (path) => (await asked('GET', path)).body;
  const { url, hooks } = await startProxy(t, () => service.url);
  const config = configOf(model.url, await startFunction(t));
  const { id: agent_id } = (await asked('POST', '/api/agents/', { body: { name: 'Shop', user_id: USER, config } }))
    .body;

  async function isAnswered(chat_id: string): Promise<void> {
    await eventually(
      () => saidIn(ask, chat_id),
      (said) => said.length >= 2,
      120_000,
    );
  }

  /** Sends a message whose turn is interrupted by a kill, and returns once it is answered. */
  async function interrupted(content: string, kill: (chat_id: string) => Promise<unknown>): Promise<string> {
    const { chat_id } = (await asked('POST', '/api/chats', { body: { agent_id } })).body;
    const cutOff = request(service.url, {
      method: 'POST',
      path: `/api/chats/${chat_id}/messages`,
      user: USER,
      body: { content },
    }).catch(() => {});
    await kill(chat_id);
    await isAnswered(chat_id);
    await cutOff;
    return chat_id;
  }

  const sent = new Map<string, string>();
  const unclaimed = 'before a worker claims it';
  const started = interrupted(unclaimed, async (chat_id) => {
    await eventually(
      () => saidIn(ask, chat_id),
      (said) => said.length === 1,
    );
    await restart();
    await startChatWorker(t, url, model.url, await makeChatSpool(t));
  });
  sent.set(unclaimed, await started);
  for (const moment of ['before words', 'in words', 'after a function']) {
    const isHeld = async () => {
      await eventually(
        async () => model.held.has(moment),
        (isSo) => isSo,
      );
      await restart();
      model.held.get(moment)?.();
    };
    sent.set(moment, await interrupted(moment, isHeld));
  }
  for (const name of ['before', 'after'] as const) {
    const content = `${name} it has the result`;
    const isKilled = async () => {
      const killed = Promise.withResolvers<void>();
      hooks[name] = () => restart().finally(killed.resolve);
      await killed.promise;
    };
    sent.set(content, await interrupted(content, isKilled));
  }

  for (const [content, chat_id] of sent) {
    // Another message is taken once the turn is over, and has one answer too.
    const again = await asked('POST', `/api/chats/${chat_id}/messages`, { body: { content: 'And on Mondays?' } });
    assert.deepEqual([again.status, again.body.content], [200, ANSWER]);
    assert.deepEqual(await saidIn(ask, chat_id), [
      ['USER', content],
      ['AGENT', ANSWER],
      ['USER', 'And on Mondays?'],
      ['AGENT', ANSWER],
    ]);
    await assertBookedOnce(ask, chat_id, (model.completed.get(content) ?? 0) + 1);
  }
});
