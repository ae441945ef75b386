import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { after, type TestContext, test } from 'node:test';
import { answeredCall, USER } from '@switchboard/testkit/calls.ts';
import { openTestDatabase } from '@switchboard/testkit/database.ts';
import { listen } from '@switchboard/testkit/event-stream.ts';
import { eventually } from '@switchboard/testkit/eventually.ts';
import { keysOf } from '@switchboard/testkit/keys.ts';
import { startService } from '@switchboard/testkit/service.ts';
import fastify from 'fastify';
import { createEventStreams } from '../../src/http/event-stream.ts';
import { createRevocations } from '../../src/lib/revocations.ts';
import { env, jwt } from '../support/principals.ts';

const database = await openTestDatabase();
after(() => database.close());
const open = await startService({ database, env: { MAX_STREAMS_PER_USER: '3' } });
const service = await startService({ database, env });
after(() => Promise.all([open.close(), service.close()]));

test('a stream ends when its key is revoked while it is open', async () => {
  const { call_id } = await answeredCall(open);
  const keys = keysOf(database);
  const key = await keys.create({ name: 'x', role: 'user', user_id: USER });
  const other = await keys.create({ name: 'y', role: 'user', user_id: USER });
  const follow = (token: string) =>
    listen(`${service.url}/api/calls/${call_id}/events`, { authorization: `Bearer ${token}` });
  const [ending, staying] = [await follow(key.key), await follow(other.key)];
  await ending.until((events) => events.length === 2);
  await keys.revoke(key.id);
  await ending.ended;
  // It was asked after at the same time, and holds.
  await open.request('POST', `/api/calls/${call_id}/end`);
  assert.equal((await staying.until((events) => events.length === 3)).at(-1)?.data.call_status, 'COMPLETED');
});

test('a stream ends when its JWT expires', async () => {
  const { call_id } = await answeredCall(open);
  const token = await jwt({ sub: USER, exp: '2s' });
  const stream = await listen(`${service.url}/api/calls/${call_id}/events`, { authorization: `Bearer ${token}` });
  assert.equal(stream.status, 200);
  await stream.ended;
  assert.equal(stream.events.at(-1)?.data.call_status, 'ANSWERED');
});

test('a stream token ends with the JWT that asked for it, and so does its stream', async () => {
  const { call_id } = await answeredCall(open);
  const untilItEnds = async (path: string) => {
    const headers = { authorization: `Bearer ${await jwt({ sub: USER, exp: '2s' })}` };
    const { status, body } = await service.request('POST', path, { headers });
    assert.equal(status, 201);
    const stream = await listen(`${service.url}${body.events_url}`);
    assert.equal(stream.status, 200);
    await stream.ended;
    assert.equal((await listen(`${service.url}${body.events_url}`)).status, 401);
  };
  await Promise.all([`/api/calls/${call_id}/events/token`, '/api/events/token'].map(untilItEnds));
});

test('event streams are limited per user', async () => {
  const { call_id } = await answeredCall(open);
  const follow = (user: string) => listen(`${open.url}/api/calls/${call_id}/events`, { 'x-user-id': user });
  const streams = [await follow(USER), await follow(USER), await follow(USER)];
  const refused = await follow(USER);
  assert.equal(refused.status, 429);
  assert.ok(Number(refused.headers['retry-after']) >= 1);
  assert.equal((await listen(`${open.url}/api/calls/${call_id}/events`)).status, 200, 'it names no user');
  streams[0]?.leave();
  await eventually(
    async () => (await follow(USER)).status,
    (status) => status === 200,
  );
});

test('event streams of a key that names no user are limited', async () => {
  const server = fastify({ forceCloseConnections: true });
  const send = createEventStreams(server, createRevocations(), { perKey: 20 });
  server.decorateRequest('caller', null);
  server.decorateRequest('principal', null);
  const statuses: number[] = [];
  server.get('/', async (_request, reply) => send(reply, () => new Readable({ read: () => {} })));
  await server.listen();
  const { port } = server.server.address() as AddressInfo;
  for (let index = 0; index <= 20; index++) statuses.push((await listen(`http://127.0.0.1:${port}/`)).status ?? 0);
  assert.deepEqual([statuses.indexOf(429), statuses.length], [20, 21]);
  server.server.closeAllConnections();
  await server.close();
});

/**
 * A stream whose token expires after so many milliseconds, or never. `advance` lets a second pass in which the
 * machine's clock moves by so many milliseconds.
 */
async function serveStream(t: TestContext, isStillAllowed: () => Promise<boolean>, validMs?: number) {
  t.mock.timers.enable({ apis: ['setInterval'] });
  let now = Date.now();
  t.mock.method(Date, 'now', () => now);
  const advance = (ms: number) => {
    now += ms;
    t.mock.timers.tick(1000);
  };
  const server = fastify({ forceCloseConnections: true });
  t.after(() => server.close());
  const send = createEventStreams(server, createRevocations());
  server.decorateRequest('caller', null);
  server.decorateRequest('principal', null);
  server.decorateRequest('isStillAllowed', null);
  server.get('/', async (request, reply) => {
    const expires_at = validMs === undefined ? null : new Date(Date.now() + validMs);
    request.principal = { name: 'token', role: 'user', user_id: USER, scopes: null, expires_at };
    request.isStillAllowed = isStillAllowed;
    return send(reply, untilGone);
  });
  await server.listen();
  const { port } = server.server.address() as AddressInfo;
  const stream = await listen(`http://127.0.0.1:${port}/`);
  assert.equal(stream.status, 200);
  return { stream, advance };
}

test('a stream ends as soon as its token expires, even when the database is unreachable', async (t) => {
  let asked = 0;
  const unreachable = () => {
    asked++;
    return Promise.reject(new Error('the identity provider is away'));
  };
  const { stream, advance } = await serveStream(t, unreachable, 500);
  advance(1000);
  assert.equal(asked, 1);
  await stream.ended;
});

test('a clock that is set back does not let the stream of a revoked key go on', async (t) => {
  const { stream, advance } = await serveStream(t, async () => false);
  advance(-3_600_000);
  await stream.ended;
});

/** Says nothing until the stream is to end. */
async function* untilGone(signal: AbortSignal): AsyncGenerator<null> {
  yield null;
  await once(signal, 'abort');
}
