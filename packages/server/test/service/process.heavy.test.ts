import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import http from 'node:http';
import net from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, test } from 'node:test';
import { request } from '@switchboard/testkit/client.ts';
import { eventually } from '@switchboard/testkit/eventually.ts';
import { killPrograms, NODE, type Program, startProgram } from '@switchboard/testkit/program.ts';
import { MAIN, readyUrl, type ServiceProcess } from '@switchboard/testkit/service-process.ts';
import { copyTemplate } from '@switchboard/testkit/template.ts';

const DATA_DIR = await mkdtemp(path.join(tmpdir(), 'switchboard-'));
await copyTemplate(DATA_DIR);
after(async () => {
  killPrograms();
  await rm(DATA_DIR, { recursive: true, force: true });
});

function start(env: Record<string, string>): Program {
  return startProgram([...NODE, MAIN], {
    env: { PATH: process.env.PATH, DATA_DIR, PORT: '0', SANDBOX_RING_MS: '20', ...env },
  });
}

/** Starts the service and returns its address once it says it is ready. */
async function serve(env: Record<string, string> = {}): Promise<ServiceProcess> {
  const started = start(env);
  return { ...started, url: await started.until(readyUrl) };
}

async function post({ url }: ServiceProcess, path: string, body: object) {
  return (await request(url, { method: 'POST', path, user: 'user-1', body })).body;
}

async function get({ url }: ServiceProcess, path: string) {
  return (await request(url, { path, user: 'user-1' })).body;
}

test('the start-up line names the database, media, carrier and address, and what to do next', async () => {
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
    '/console',
    '/docs',
  ]) {
    assert.ok(line.includes(part), `${part} in ${line}`);
  }
  assert.equal(await service.end('SIGTERM'), 0);
});

test('a second process on the same directory is refused and names the holder', async () => {
  const service = await serve();
  const second = start({});
  assert.equal(await second.exit, 1);
  assert.match(second.output(), new RegExp(`in use by process ${service.child.pid}`));
  await service.end('SIGTERM');
});

test('acknowledged data survives a kill, and the next start settles a call that was under way', async () => {
  const first = await serve();
  const agent = await post(first, '/api/agents/', { name: 'Front desk', user_id: 'user-1' });
  const call = await post(first, '/api/calls/outbound', { agent_id: agent.id, phone_number: '+15005550100' });
  const event = {
    session_id: call.call_id,
    user_id: 'user-1',
    provider: 'p',
    event_type: 'llm_tokens',
    quantity: 1,
    unit_cost: 1,
    total_cost: '0.1',
  };
  await post(first, '/api/usage/events', event);
  await eventually(
    () => get(first, `/api/calls/${call.call_id}/status`),
    (state) => state.call_status === 'ANSWERED',
  );
  first.child.kill('SIGKILL');
  await first.exit;
  const next = await serve({ RECONCILE_INTERVAL_MS: '100' });
  assert.equal((await get(next, '/api/costs/summary')).total_cost, '0.1');
  assert.equal((await get(next, `/api/agents/${agent.id}`)).name, 'Front desk');
  const state = await eventually(
    () => get(next, `/api/calls/${call.call_id}`),
    ({ status }) => status !== 'ACTIVE',
  );
  assert.deepEqual([state.status, state.call_status, state.end_reason], ['COMPLETED', 'COMPLETED', 'room_ended']);
  next.child.kill('SIGTERM');
  assert.equal(await next.exit, 0);
});

test('on SIGTERM a request under way is finished', async () => {
  const service = await serve();
  const agent = await post(service, '/api/agents/', { name: 'Front desk', user_id: 'user-1' });
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
  await service.until((output) => output.includes('finishing requests in progress'));
  request.end(body);
  const [response] = await answer;
  assert.equal(response.statusCode, 201);
  assert.match(String(await response.setEncoding('utf8').toArray()), /RINGING/);
  assert.equal(await service.exit, 0);
});

test('connections without a request, or with half of one, do not delay the shutdown', async () => {
  // Far more than is waited for here: who waits for these connections does not end in time.
  const service = await serve({ SHUTDOWN_TIMEOUT_MS: '300000' });
  const { port } = new URL(service.url);
  for (const text of ['', 'GET /healthz HT']) {
    const socket = net.connect(Number(port), '127.0.0.1');
    await once(socket, 'connect');
    socket.write(text);
    socket.on('error', () => {});
  }
  await get(service, '/healthz'); // By now the service has taken the connections before it.
  service.child.kill('SIGTERM');
  await eventually(
    async () => service.child.exitCode,
    (code) => code === 0,
  );
});

test('a failed start prints a clear message', async () => {
  for (const env of [{ DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none' }, { DATA_DIR: '/dev/null/x' }]) {
    const failing = start(env as unknown as Record<string, string>);
    assert.equal(await failing.exit, 1);
    assert.match(failing.output(), /^Switchboard cannot start: .+\n$/);
  }
});

test('phone numbers are masked to their last four digits in every line, in JSON and in a terminal', async () => {
  for (const LOG_FORMAT of ['json', 'pretty']) {
    const service = await serve({ LOG_FORMAT, LOG_LEVEL: 'trace', CALLBACK_ALLOW_PRIVATE: 'true' });
    const agent = await post(service, '/api/agents/', { name: 'Front desk', user_id: 'user-1' });
    const callback_url = 'http://127.0.0.1:1/%2B15005550123';
    await post(service, '/api/calls/outbound', { agent_id: agent.id, phone_number: '+15005550123', callback_url });
    await get(service, '/api/telephony/lookup?phone_number=%2B15005550123');
    await get(service, '/nowhere/+15005550123');
    await service.end('SIGTERM');
    assert.ok(!service.output().includes('5005550123'), service.output());
    assert.match(service.output(), /telephony\/lookup/);
  }
});

test('all configuration errors are reported at once, by name', async () => {
  const broken = start({ PORT: 'many', LOG_LEVEL: 'loud', TRANSFER_TYPE: 'HOT', HOST: '0.0.0.0' });
  assert.equal(await broken.exit, 1);
  for (const name of ['PORT', 'LOG_LEVEL', 'TRANSFER_TYPE', 'AUTH_MODE'])
    assert.match(broken.output(), new RegExp(`${name}: must`));
});
