/** Parts of tests in which a real worker answers chats: a server for its models and functions, and the worker. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { TestContext } from 'node:test';
import type { Json } from '@switchboard/testkit/client.ts';
import { freePorts } from '@switchboard/testkit/ports.ts';
import { WORKER_DIR } from '@switchboard/testkit/worker.ts';

/** A server for POST requests with JSON, until the test ends; returns its URL. */
export async function serve(t: TestContext, answer: (body: Json, response: ServerResponse) => void): Promise<string> {
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

/** A directory for the unsent reports of workers, until the test ends. */
export async function makeChatSpool(t: TestContext): Promise<string> {
  const dir = await mkdtemp(path.join(tmpdir(), 'switchboard-chats-'));
  t.after(() => rm(dir, { recursive: true, force: true }));
  return dir;
}

/** A worker whose media server does not exist. */
export async function startChatWorker(t: TestContext, SWITCHBOARD_URL: string, model: string, SPOOL_DIR: string) {
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
  });
  return worker;
}

/** Chunks of an answer in OpenAI's protocol, and its usage at the end. */
export function chunksOf(deltas: readonly object[], usage: object, finish_reason = 'stop'): string[] {
  const head = { id: 'c', object: 'chat.completion.chunk', created: 1, model: 'stand-in' };
  const chunk = (delta: object, reason: string | null) => ({
    ...head,
    choices: [{ index: 0, delta, finish_reason: reason }],
  });
  const chunks = [...deltas.map((delta) => chunk(delta, null)), chunk({}, finish_reason)];
  return [...[...chunks, { ...head, choices: [], usage }].map((one) => JSON.stringify(one)), '[DONE]'];
}
