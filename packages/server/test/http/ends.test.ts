import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { after, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { eventually } from '@switchboard/testkit/eventually.ts';
import { keysOf } from '@switchboard/testkit/keys.ts';
import { type Service, startService } from '@switchboard/testkit/service.ts';
import fastify from 'fastify';
import { CLIENT_LEFT, registerEnds } from '../../src/http/ends.ts';
import { connect, readUntil } from '../support/connections.ts';
import { holdTable } from '../support/hold-table.ts';

const SOME_MS = 50;
const open = await startService();
const closed = await startService({ env: { AUTH_MODE: 'required' } });
const root = (await keysOf(closed.database).create({ name: 'root', role: 'service' })).key;

const get = (path: string, more = '') => `GET ${path} HTTP/1.1\r\nhost: localhost\r\n${more}\r\n`;

/** Sends a request, and resolves with its response when the server has begun it. */
async function send(server: Server, text: string) {
  const { port } = server.address() as AddressInfo;
  const begun = once(server, 'request') as Promise<[IncomingMessage, ServerResponse]>;
  const socket = connect(port);
  socket.write(text);
  const [, response] = await begun;
  // Fastify listens for its errors as it begins.
  await eventually(
    async () => response.listenerCount('error'),
    (listeners) => listeners > 0,
  );
  return { socket, response };
}

const isOver = (response: ServerResponse) =>
  eventually(
    async () => response.closed,
    (is) => is,
  );

/** Sends this and resets the connection while the service waits for a table, and then goes on. */
async function leave({ database, app }: Service, table: 'agents' | 'api_keys', text: string): Promise<void> {
  const release = await holdTable(database.db, table);
  try {
    const { socket, response } = await send(app.server.server, text);
    assert.equal(response.closed, false);
    socket.resetAndDestroy();
    await isOver(response);
  } finally {
    await release();
  }
}

/** How often such requests are in the metrics, and in the log. */
async function observed(
  service: Service,
  route: string,
  status: number,
  headers = {},
  method = 'GET',
): Promise<[number, number]> {
  const { body } = await service.request('GET', '/metrics', { headers });
  const labels = `method="${method}",route="${route}",status="${status}"`;
  const line = body.split('\n').find((one: string) => one.includes('seconds_count{') && one.includes(labels));
  const logged = service.logged().map((one) => JSON.parse(one));
  const count = logged.filter((one) => one.msg === 'request' && one.route === route && one.status === String(status));
  return [Number(line?.split(' ').at(-1) ?? 0), count.length];
}

test('a request is in the metrics and the log once', async () => {
  for (let sent = 1; sent <= 3; sent++) {
    assert.equal((await open.request('GET', '/api/agents/', { user: 'ada' })).status, 200);
    assert.deepEqual(await observed(open, '/api/agents/', 200), [sent, sent]);
  }
});

test('a request whose client does not wait for the answer is in the metrics and the log once, with its status', async () => {
  const [path, route] = ['/api/agents/01990000-0000-7000-8000-000000000000', '/api/agents/:agent_id'];
  await leave(open, 'agents', get(path, 'x-user-id: ada\r\n'));
  await eventually(
    () => observed(open, route, 404),
    ([, logged]) => logged > 0,
  );
  await pause(SOME_MS);
  assert.deepEqual(await observed(open, route, 404), [1, 1]);
});

test('a stream is in the metrics and the log once, although its client leaves in the middle of it', async () => {
  const { socket, response } = await send(open.app.server.server, get('/api/events', 'x-user-id: ada\r\n'));
  await readUntil(socket, (text) => text.includes('retry'));
  await isOver(response);
  assert.deepEqual(await observed(open, '/api/events', 200), [1, 1]);
});

test('a refused request whose client resets the connection is in the audit log once', async () => {
  const { key } = await keysOf(closed.database).create({ name: 'curious', role: 'viewer' });
  await leave(closed, 'api_keys', get('/api/keys', `authorization: Bearer ${key}\r\n`));
  const headers = { authorization: `Bearer ${root}` };
  const entries = async () => {
    await closed.app.reconcile();
    return (await closed.request('GET', '/api/audit?outcome=refused', { headers })).body.items;
  };
  await eventually(entries, (items) => items.length > 0);
  await pause(SOME_MS);
  const [{ actor_name, action, target, detail, count }, ...others] = await entries();
  assert.deepEqual([actor_name, action, target], ['curious', 'request.refused', 'GET /api/keys']);
  assert.deepEqual([detail, count, others], ['403 role_not_allowed', 1, []]);
  assert.deepEqual(await observed(closed, '/api/keys', 403, headers), [1, 1]);
});

test('a body whose client has left while its key was looked up is incomplete, once', async () => {
  const { key } = await keysOf(closed.database).create({ name: 'sender', role: 'service' });
  const head = `authorization: Bearer ${key}\r\ncontent-type: application/json\r\ncontent-length: 2\r\n`;
  await leave(closed, 'api_keys', get('/api/agents/', head).replace('GET', 'POST'));
  const headers = { authorization: `Bearer ${root}` };
  await eventually(
    () => observed(closed, '/api/agents/', 400, headers, 'POST'),
    ([, logged]) => logged > 0,
  );
  assert.deepEqual(await observed(closed, '/api/agents/', 400, headers, 'POST'), [1, 1]);
});

test('a request that is never answered is over some time after its client has left, and one that is, as it is', async () => {
  const app = fastify({ logger: { level: 'silent' } });
  after(() => app.close());
  const ended: [string, number][] = [];
  registerEnds(app, SOME_MS)(({ url }, _reply, status) => ended.push([url, status]));
  const answers: (() => void)[] = [];
  app.get('/never', () => new Promise(() => {}));
  app.get('/late', () => new Promise((resolve) => answers.push(() => resolve('late'))));
  app.get('/file', () => new Readable({ read: () => {} }));
  await app.listen({ host: '127.0.0.1', port: 0 });
  for (const [sent, status, times = 1] of [
    ['/late', 200],
    // Node begins both at once.
    ['/late', 200, 2],
    ['/file', 200],
    ['/never', CLIENT_LEFT],
  ] as const) {
    const { socket, response } = await send(app.server, get(sent).repeat(times));
    socket.resetAndDestroy();
    await isOver(response);
    if (sent !== '/file') assert.deepEqual(ended, []);
    for (const answer of answers.splice(0)) answer();
    await eventually(
      async () => ended.length,
      (count) => count >= times,
    );
    await pause(2 * SOME_MS);
    assert.deepEqual(ended.splice(0), Array(times).fill([sent, status]));
  }
});
