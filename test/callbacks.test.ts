import assert from 'node:assert/strict';
import { once } from 'node:events';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, test } from 'node:test';
import { sql } from 'kysely';
import { Webhook } from 'standardwebhooks';
import { answeredCall, createAgent, placeCall, reaches, USER } from './support/calls.ts';
import { eventually, startService } from './support/service.ts';

interface Received {
  path: string;
  headers: Record<string, string>;
  body: string;
}

const received: Received[] = [];
let answerWith = (_path: string): number => 200;
const receiver = http.createServer((request, response) => {
  let body = '';
  request.on('data', (chunk) => {
    body += chunk;
  });
  request.on('end', () => {
    const path = request.url ?? '';
    received.push({ path, headers: request.headers as Record<string, string>, body });
    response.writeHead(answerWith(path), { location: '/elsewhere' }).end('x');
  });
});
await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
after(() => receiver.close());
const base = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}`;

const service = await startService();
const at = (path: string) => received.filter((one) => one.path === path);
const types = (path: string) => at(path).map(({ body }) => JSON.parse(body).type);

test('each change of call_status is told once, signed so that a Standard Webhooks receiver can verify it', async () => {
  const { call_id } = await placeCall(service, '+15005550005', { callback_url: `${base}/calls` });
  await reaches(service, call_id, 'COMPLETED');
  await eventually(
    async () => types('/calls'),
    (told) => told.length >= 2,
  );
  assert.deepEqual(types('/calls').sort(), ['call.answered', 'call.completed']);
  const { secret } = (await service.request('GET', '/api/callbacks/secret', { user: USER })).body;
  for (const { headers, body } of at('/calls')) new Webhook(secret).verify(body, headers);
  const completed = at('/calls')
    .map(({ body }) => JSON.parse(body))
    .find(({ type }) => type === 'call.completed');
  const status = (await service.request('GET', `/api/calls/${call_id}/status`)).body;
  const { end_reason, sip_status_code, ...shown } = completed.data;
  assert.deepEqual(shown, status);
  assert.deepEqual([end_reason, sip_status_code], ['hangup', null]);
});

test('a call that fails tells why', async () => {
  await placeCall(service, '+15005550001', { callback_url: `${base}/busy` });
  await eventually(
    async () => at('/busy'),
    (told) => told.length > 0,
  );
  const { type, data } = JSON.parse(at('/busy')[0]?.body ?? '');
  assert.deepEqual(
    [type, data.call_status, data.end_reason, data.sip_status_code],
    ['call.failed', 'FAILED', 'busy', 486],
  );
});

test('a transfer is told, before the end of the session that it brings', async () => {
  const { call_id } = await answeredCall(service, { callback_url: `${base}/transfer` });
  await service.request('POST', `/api/sessions/${call_id}/transfer`, { body: { phone_number: '+15005550101' } });
  await eventually(
    async () => types('/transfer'),
    (told) => told.length >= 3,
  );
  assert.deepEqual(types('/transfer').sort(), ['call.answered', 'call.completed', 'call.transferred']);
});

test('a transfer that failed is told with its target and the reason', async () => {
  const { call_id } = await answeredCall(service, { callback_url: `${base}/refused` });
  await service.request('POST', `/api/sessions/${call_id}/transfer`, { body: { phone_number: '+15005550001' } });
  await eventually(
    async () => types('/refused'),
    (told) => told.includes('call.transfer_failed'),
  );
  const { data } = at('/refused')
    .map(({ body }) => JSON.parse(body))
    .find(({ type }) => type === 'call.transfer_failed');
  assert.deepEqual(data.transfer, {
    transfer_type: 'COLD',
    transferred_to: '+15005550001',
    reason: 'busy',
    sip_status_code: 486,
  });
});

test('receivers that never answer do not hold up the others', async () => {
  const hole = http.createServer(() => {}).listen(0, '127.0.0.1');
  await once(hole, 'listening');
  const silent = `http://127.0.0.1:${(hole.address() as AddressInfo).port}`;
  const agent_id = await createAgent(service);
  for (let index = 0; index < 20; index++)
    await placeCall(service, '+15005550001', { agent_id, callback_url: `${silent}/${index}` });
  await eventually(
    () => service.database.db.selectFrom('callbacks').select('id').where('url', 'like', `${silent}%`).execute(),
    (rows) => rows.length === 20,
  );
  await placeCall(service, '+15005550001', { agent_id, callback_url: `${base}/quick` });
  await eventually(
    async () => at('/quick'),
    (told) => told.length > 0,
  );
  hole.closeAllConnections();
  hole.close();
});

test('a receiver that fails is asked again, with the same id and body, until it takes it', async () => {
  answerWith = (path) => (path === '/flaky' && at(path).length === 1 ? 500 : 200);
  await placeCall(service, '+15005550001', { callback_url: `${base}/flaky` });
  await eventually(
    async () => at('/flaky'),
    (told) => told.length >= 1,
  );
  const pending = await eventually(
    () => service.database.db.selectFrom('callbacks').selectAll().where('url', '=', `${base}/flaky`).executeTakeFirst(),
    (row) => row?.attempts === 1,
  );
  assert.deepEqual([pending?.status, pending?.response_status], ['pending', 500]);
  // The pause before the second try is seconds long: let the queue believe it has passed.
  await sql`update pgboss.job set start_after = now() where state = 'retry'`.execute(service.database.db);
  await eventually(
    async () => at('/flaky'),
    (told) => told.length >= 2,
  );
  const [first, second] = at('/flaky');
  assert.equal(first?.headers['webhook-id'], second?.headers['webhook-id']);
  assert.equal(first?.body, second?.body);
});

test('a receiver that says 410 Gone is not asked again', async () => {
  answerWith = (path) => (path === '/gone' ? 410 : 200);
  await placeCall(service, '+15005550001', { callback_url: `${base}/gone` });
  const row = await eventually(
    () => service.database.db.selectFrom('callbacks').selectAll().where('url', '=', `${base}/gone`).executeTakeFirst(),
    (found) => found?.status === 'failed',
  );
  assert.deepEqual([row?.attempts, row?.response_status], [1, 410]);
});

test('a receiver that never takes a callback is asked for at least a day', async () => {
  const { rows } = await sql<{
    retry_limit: number;
    retry_delay: number;
    retry_delay_max: number;
    retry_backoff: boolean;
  }>`
    select retry_limit, retry_delay, retry_delay_max, retry_backoff from pgboss.queue where name = 'callbacks'`.execute(
    service.database.db,
  );
  const [queue] = rows;
  assert.ok(queue?.retry_backoff);
  // The shortest pauses that the queue's jitter makes: https://pgboss.io, retryBackoff.
  const pauses = Array.from({ length: queue.retry_limit }, (_, tries) =>
    Math.min(queue.retry_delay_max, queue.retry_delay * 2 ** tries),
  );
  assert.ok(pauses.reduce((sum, pause) => sum + pause, 0) >= 24 * 60 * 60);
});

test('a redirect is not followed', async () => {
  answerWith = (path) => (path === '/moved' ? 302 : 200);
  await placeCall(service, '+15005550001', { callback_url: `${base}/moved` });
  await eventually(
    () => service.database.db.selectFrom('callbacks').selectAll().where('url', '=', `${base}/moved`).executeTakeFirst(),
    (row) => row?.response_status === 302,
  );
  assert.deepEqual(at('/elsewhere'), []);
});

test('private, loopback and link-local addresses are refused unless allowed', async () => {
  const strict = await startService({ env: { CALLBACK_ALLOW_PRIVATE: 'false' } });
  const agent_id = await createAgent(strict);
  for (const host of [
    base,
    'http://localhost:1',
    'http://[::1]:1',
    'http://169.254.169.254',
    'http://10.0.0.1',
    'http://2130706433',
    'http://[::7f00:1]:1',
  ]) {
    await placeCall(strict, '+15005550001', { agent_id, callback_url: `${host}/private` });
  }
  const rows = await eventually(
    () => strict.database.db.selectFrom('callbacks').selectAll().execute(),
    (all) => all.length === 7 && all.every((row) => row.attempts > 0),
  );
  assert.deepEqual(
    rows
      .filter((row) => row.response_status !== null || !/is not allowed/.test(row.error ?? ''))
      .map((row) => [row.url, row.error]),
    [],
  );
  assert.deepEqual(at('/private'), []);
  await strict.close();
});

test('the secret belongs to the user, is the same at every look, and needs a user', async () => {
  const mine = await service.request('GET', '/api/callbacks/secret', { user: USER });
  const again = await service.request('GET', '/api/callbacks/secret', { user: USER });
  const other = await service.request('GET', '/api/callbacks/secret', { user: 'somebody-else' });
  assert.match(mine.body.secret, /^whsec_/);
  assert.equal(mine.body.secret, again.body.secret);
  assert.notEqual(mine.body.secret, other.body.secret);
  assert.equal((await service.request('GET', '/api/callbacks/secret')).status, 401);
});
