import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import http from 'node:http';
import net from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Readable } from 'node:stream';
import { after, test } from 'node:test';
import { eventually } from './support/service.ts';

const main = path.resolve(import.meta.dirname, '../src/main.ts');
const DATA_DIR = await mkdtemp(path.join(tmpdir(), 'switchboard-'));
const running = new Set<ChildProcess>();
after(async () => {
  for (const child of running) child.kill('SIGKILL');
  await rm(DATA_DIR, { recursive: true, force: true });
});

interface Started {
  child: ChildProcess;
  output: () => string;
  streams: Readable[];
  exit: Promise<number | string>;
}

function start(env: Record<string, string>): Started {
  const child = spawn(process.execPath, [main], {
    env: { PATH: process.env.PATH, DATA_DIR, PORT: '0', SANDBOX_RING_MS: '20', ...env },
  });
  running.add(child);
  let output = '';
  const streams = [child.stdout, child.stderr];
  for (const stream of streams) {
    stream.on('data', (chunk) => {
      output += chunk;
    });
  }
  const exit = once(child, 'close').then(([code, signal]) => {
    running.delete(child);
    return code ?? signal;
  });
  return { child, output: () => output, streams, exit };
}

/** Starts the service and returns its address once it says it is ready. */
async function serve(env: Record<string, string> = {}): Promise<Started & { url: string }> {
  const started = start(env);
  const failed = started.exit.then((code) => assert.fail(`ended with ${code}: ${started.output()}`));
  // Without a limit of its own: how long a start takes is the machine's affair.
  while (!started.output().includes('is ready on http'))
    await Promise.race([failed, ...started.streams.map((stream) => once(stream, 'data'))]);
  failed.catch(() => {});
  const text = started.output();
  return { ...started, url: /ready on (http:\/\/[^\s"]+)/.exec(text)?.[1] ?? assert.fail(text) };
}

async function post(url: string, body: object, user = 'user-1') {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-user-id': user },
    body: JSON.stringify(body),
  });
  return response.json() as Promise<Record<string, string>>;
}

async function get(url: string) {
  return (await fetch(url, { headers: { 'x-user-id': 'user-1' } })).json() as Promise<Record<string, unknown>>;
}

test('the start-up line says which database, which media, which carrier, which address and what to do next', async () => {
  const service = await serve();
  const line =
    service
      .output()
      .split('\n')
      .find((text) => text.includes('is ready on')) ?? '';
  for (const part of [
    'embedded database',
    'sandbox phone network',
    'sandbox carrier',
    service.url,
    'npm run demo',
    '/docs',
  ]) {
    assert.ok(line.includes(part), `${part} in ${line}`);
  }
  service.child.kill('SIGTERM');
  assert.equal(await service.exit, 0);
});

test('a second process on the same directory is refused, and told who holds it', async () => {
  const service = await serve();
  const second = start({});
  assert.equal(await second.exit, 1);
  assert.match(second.output(), new RegExp(`in use by process ${service.child.pid}`));
  service.child.kill('SIGTERM');
  await service.exit;
});

test('what was acknowledged survives a kill, and the next start settles a call that was under way', async () => {
  const first = await serve();
  const agent = await post(`${first.url}/api/agents/`, { name: 'Front desk', user_id: 'user-1' });
  const call = await post(`${first.url}/api/calls/outbound`, { agent_id: agent.id, phone_number: '+15005550100' });
  const event = {
    session_id: call.call_id,
    user_id: 'user-1',
    provider: 'p',
    event_type: 'llm_tokens',
    quantity: 1,
    unit_cost: 1,
    total_cost: '0.1',
  };
  await post(`${first.url}/api/usage/events`, event);
  await eventually(
    () => get(`${first.url}/api/calls/${call.call_id}/status`),
    (state) => state.call_status === 'ANSWERED',
  );
  first.child.kill('SIGKILL');
  await first.exit;
  const next = await serve({ RECONCILE_INTERVAL_MS: '100' });
  assert.equal((await get(`${next.url}/api/costs/summary`)).total_cost, '0.1');
  assert.equal((await get(`${next.url}/api/agents/${agent.id}`)).name, 'Front desk');
  const state = await eventually(
    () => get(`${next.url}/api/calls/${call.call_id}`),
    ({ status }) => status !== 'ACTIVE',
  );
  assert.deepEqual([state.status, state.call_status, state.end_reason], ['COMPLETED', 'COMPLETED', 'room_ended']);
  next.child.kill('SIGTERM');
  assert.equal(await next.exit, 0);
});

test('SIGTERM lets a request under way finish', async () => {
  const service = await serve();
  const agent = await post(`${service.url}/api/agents/`, { name: 'Front desk', user_id: 'user-1' });
  const body = JSON.stringify({ agent_id: agent.id, phone_number: '+15005550100' });
  const request = http.request(`${service.url}/api/calls/outbound`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'content-length': body.length,
      'x-user-id': 'user-1',
      expect: '100-continue',
    },
  });
  const answer = once(request, 'response') as Promise<[http.IncomingMessage]>;
  request.flushHeaders();
  await once(request, 'continue'); // The service has taken the request, and waits for its body.
  service.child.kill('SIGTERM');
  await eventually(
    async () => service.output(),
    (output) => output.includes('finishing what is under way'),
  );
  request.end(body);
  const [response] = await answer;
  assert.equal(response.statusCode, 201);
  assert.match(String(await response.setEncoding('utf8').toArray()), /RINGING/);
  assert.equal(await service.exit, 0);
});

test('connections that never sent a request, or half of one, do not hold up the end', async () => {
  // Far more than is waited for here: who waits for these connections does not end in time.
  const service = await serve({ SHUTDOWN_TIMEOUT_MS: '300000' });
  const { port } = new URL(service.url);
  for (const text of ['', 'GET /healthz HT']) {
    const socket = net.connect(Number(port), '127.0.0.1');
    await once(socket, 'connect');
    socket.write(text);
    socket.on('error', () => {});
  }
  await get(`${service.url}/healthz`); // By now the service has taken the connections before it.
  service.child.kill('SIGTERM');
  await eventually(
    async () => service.child.exitCode,
    (code) => code === 0,
  );
});

test('what keeps it from starting is told in a sentence', async () => {
  for (const env of [{ DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none' }, { DATA_DIR: '/dev/null/x' }]) {
    const failing = start(env as unknown as Record<string, string>);
    assert.equal(await failing.exit, 1);
    assert.match(failing.output(), /^Switchboard cannot start: .+\n$/);
  }
});

test('phone numbers are masked to their last four digits in every line, in JSON and in a terminal', async () => {
  for (const LOG_FORMAT of ['json', 'pretty']) {
    const service = await serve({ LOG_FORMAT, LOG_LEVEL: 'trace', CALLBACK_ALLOW_PRIVATE: 'true' });
    const agent = await post(`${service.url}/api/agents/`, { name: 'Front desk', user_id: 'user-1' });
    const callback_url = 'http://127.0.0.1:1/%2B15005550123';
    await post(`${service.url}/api/calls/outbound`, { agent_id: agent.id, phone_number: '+15005550123', callback_url });
    await get(`${service.url}/api/telephony/lookup?phone_number=%2B15005550123`);
    await get(`${service.url}/nowhere/+15005550123`);
    service.child.kill('SIGTERM');
    await service.exit;
    assert.ok(!service.output().includes('5005550123'), service.output());
    assert.match(service.output(), /telephony\/lookup/);
  }
});

test('every mistake of the configuration is reported at once, by name', async () => {
  const broken = start({ PORT: 'many', LOG_LEVEL: 'loud', TRANSFER_TYPE: 'HOT', HOST: '0.0.0.0' });
  assert.equal(await broken.exit, 1);
  for (const name of ['PORT', 'LOG_LEVEL', 'TRANSFER_TYPE', 'AUTH_MODE'])
    assert.match(broken.output(), new RegExp(`${name}: must`));
});
