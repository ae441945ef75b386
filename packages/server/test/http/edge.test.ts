import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createAgent, USER } from '@switchboard/testkit/calls.ts';
import { eventually } from '@switchboard/testkit/eventually.ts';
import { keysOf } from '@switchboard/testkit/keys.ts';
import { startService } from '@switchboard/testkit/service.ts';
import { assertRefused } from '../support/answers.ts';

const required = { AUTH_MODE: 'required', RATE_LIMIT_USER: '5', RATE_LIMIT_SERVICE: '8' };

/** Blocks the event loop without work for the processor. */
function standStill(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
}

/** Asks so often, one after the other, and gives the statuses. */
async function statuses(times: number, ask: () => Promise<{ status: number }>): Promise<number[]> {
  const seen = [];
  for (let index = 0; index < times; index++) seen.push((await ask()).status);
  return seen;
}

test('each principal has its own rate limit; users have a lower one, shared by all their keys', async () => {
  const service = await startService({ env: required });
  const keys = keysOf(service.database);
  const bearer = async (role: 'user' | 'worker' | 'service', user_id: string | null = null) => ({
    headers: { authorization: `Bearer ${(await keys.create({ name: 'x', role, user_id })).key}` },
  });
  const [one, two] = [await bearer('user', USER), await bearer('user', USER)];
  assert.deepEqual(await statuses(4, () => service.request('GET', '/api/agents/', one)), [200, 200, 200, 200]);
  assert.deepEqual(await statuses(3, () => service.request('GET', '/api/agents/', two)), [200, 429, 429]);
  const refused = await service.request('GET', '/api/agents/', one);
  assertRefused(refused, 429, 'too_many_requests');
  const wait = Number(refused.headers.get('retry-after'));
  assert.ok(wait >= 1 && wait <= 60, `${wait} s`);
  const other = await bearer('user', 'neighbour');
  assert.equal((await service.request('GET', '/api/agents/', other)).status, 200);
  const worker = await bearer('worker');
  const asWorker = await statuses(10, () => service.request('GET', '/api/sessions/', worker));
  assert.deepEqual(asWorker, [...Array(8).fill(200), 429, 429]);
  const bound = await bearer('worker', USER);
  const asBound = await statuses(10, () => service.request('GET', '/api/sessions/', bound));
  assert.deepEqual(asBound, [...Array(8).fill(200), 429, 429]);
  assert.equal((await service.request('GET', '/api/keys', await bearer('service'))).status, 200);
});

test('in open mode each named user, and each address that names none, has its own limit', async () => {
  const service = await startService({ env: { RATE_LIMIT_SERVICE: '3' } });
  const as = (user: string) => () => service.request('GET', '/api/agents/', { user });
  assert.deepEqual(await statuses(4, as('a')), [200, 200, 200, 429]);
  assert.deepEqual(await statuses(1, as('b')), [200]);
  assert.deepEqual(await statuses(4, () => service.request('GET', '/api/sessions/')), [200, 200, 200, 429]);
});

test('health, the API description and the signed webhook are not limited', async () => {
  const service = await startService({ env: { ...required, RATE_LIMIT_SERVICE: '1', RATE_LIMIT_USER: '1' } });
  for (const path of ['/healthz', '/readyz', '/openapi.json'])
    assert.deepEqual(await statuses(5, () => service.request('GET', path)), Array(5).fill(200));
  const event = { body: { event: 'room_started', id: 'EV_1' } };
  assert.deepEqual(await statuses(5, () => service.request('POST', '/api/media/webhook', event)), Array(5).fill(200));
});

test('guessing tokens is rate limited, and valid tokens from the same address still work', async () => {
  const service = await startService({ env: { ...required, RATE_LIMIT_SERVICE: '1000' } });
  const { key } = await keysOf(service.database).create({ name: 'x', role: 'service' });
  const guess = (index: number) =>
    service.request('GET', '/api/keys', { headers: { authorization: `Bearer sb_guess-${index}` } });
  const seen = new Set<number>();
  for (let batch = 0; batch < 11; batch++) {
    const answers = await Promise.all(Array.from({ length: 100 }, (_, index) => guess(batch * 100 + index)));
    for (const { status } of answers) seen.add(status);
  }
  assert.deepEqual([...seen], [401, 429]);
  assert.equal(
    (await service.request('GET', '/api/keys', { headers: { authorization: `Bearer ${key}` } })).status,
    200,
  );
});

test('behind a trusted proxy the address is that of x-forwarded-for; from other peers the header is ignored', async () => {
  const ask = (service: { request: Awaited<ReturnType<typeof startService>>['request'] }, ip: string) => () =>
    service.request('GET', '/api/sessions/', { headers: { 'x-forwarded-for': ip } });
  const trusting = await startService({ env: { RATE_LIMIT_SERVICE: '2', TRUST_PROXY: '127.0.0.1' } });
  assert.deepEqual(await statuses(3, ask(trusting, '192.0.2.1')), [200, 200, 429]);
  assert.deepEqual(await statuses(2, ask(trusting, '192.0.2.2')), [200, 200]);
  const plain = await startService({ env: { RATE_LIMIT_SERVICE: '2' } });
  assert.deepEqual(await statuses(2, ask(plain, '192.0.2.1')), [200, 200]);
  assert.deepEqual(await statuses(1, ask(plain, '192.0.2.2')), [429]);
});

test('the addresses of one IPv6 network share its limits: a client has all of them', async () => {
  const service = await startService({
    env: { RATE_LIMIT_SERVICE: '2', RATE_LIMIT_PUBLIC: '2', TRUST_PROXY: '127.0.0.1' },
  });
  for (const path of ['/api/sessions/', '/readyz']) {
    const ask = async (ip: string) =>
      (await service.request('GET', path, { headers: { 'x-forwarded-for': ip } })).status;
    for (const ip of ['2001:db8::1', '2001:0DB8:0:0:ffff::2']) assert.equal(await ask(ip), 200, ip);
    assert.equal(await ask('2001:db8::3'), 429);
    assert.equal(await ask('2001:db8:0:1::3'), 200);
  }
});

test('an overloaded process refuses early with 503 and Retry-After, and still answers health and metrics', async () => {
  const service = await startService({ env: { OVERLOAD_DELAY_MS: '100' } });
  const busy = new AbortController();
  // Holds up the event loop again and again, as too much work does.
  const hold = () => {
    standStill(300);
    if (!busy.signal.aborted) setTimeout(hold, 1);
  };
  hold();
  const ask = () => service.request('GET', '/api/sessions/');
  const refused = await eventually(ask, ({ status }) => status !== 200);
  assertRefused(refused, 503, 'overloaded');
  assert.ok(Number(refused.headers.get('retry-after')) >= 1);
  for (const path of ['/healthz', '/readyz', '/metrics'])
    assert.equal((await service.request('GET', path)).status, 200, path);
  busy.abort();
  await eventually(ask, ({ status }) => status === 200);
});

test('when too many queries are queued for the database, requests are refused', async () => {
  const service = await startService();
  const { connections } = service.database;
  service.database.connections = () => ({ total: 10, idle: 0, waiting: 1001 });
  const ask = () => service.request('GET', '/api/sessions/');
  const refused = await eventually(ask, ({ status }) => status !== 200);
  assertRefused(refused, 503, 'overloaded');
  service.database.connections = connections;
  await eventually(ask, ({ status }) => status === 200);
});

test('operations with a few short fields accept 64 KiB, the 17 specified ones 1 MiB', async () => {
  const service = await startService();
  const agent_id = await createAgent(service);
  const padding = (bytes: number) => ({ ignored: 'x'.repeat(bytes) });
  const send = (path: string, body: object) => service.request('POST', path, { user: USER, body });
  for (const [path, body] of [
    ['/api/media/token', { session_id: agent_id }],
    ['/api/keys', { name: 'x', role: 'worker' }],
    ['/api/callbacks/secret/rotate', {}],
  ] as const)
    assertRefused(await send(path, { ...body, ...padding(65_536) }), 413, 'body_too_large');
  const call = { agent_id, phone_number: '+15005550001' };
  assert.equal((await send('/api/calls/outbound', { ...call, ...padding(1_000_000) })).status, 201);
  assertRefused(await send('/api/calls/outbound', { ...call, ...padding(1_048_576) }), 413, 'body_too_large');
});
