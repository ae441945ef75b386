import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import http, { type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type TestContext, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { startDelivery } from '../switchboard/delivery.ts';
import { createSend, retryAfter } from '../switchboard/send.ts';
import { openSpool } from '../switchboard/spool.ts';

interface Seen {
  path: string;
  key: string;
  authorization: string | undefined;
  body: string;
  at: number;
}

type Reply = (response: ServerResponse) => void;

const answer =
  (status: number, body: object = {}, headers = {}): Reply =>
  (response) =>
    response.writeHead(status, headers).end(JSON.stringify(body));
const hangUp: Reply = (response) => response.destroy();

/** A stand-in for Switchboard that gives these replies one after another, and 201 from then on. */
async function standIn(t: TestContext, replies: Reply[] = []) {
  const seen: Seen[] = [];
  const server = http.createServer(async (request: IncomingMessage, response) => {
    const body = (await request.toArray()).join('');
    const { authorization, 'idempotency-key': key } = request.headers;
    seen.push({ path: request.url ?? '', key: String(key), authorization, body, at: performance.now() });
    (replies[seen.length - 1] ?? answer(201))(response);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  return { seen, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

async function setUp(t: TestContext, url: string) {
  const dir = await mkdtemp(path.join(tmpdir(), 'agent-worker-'));
  t.after(() => rm(dir, { recursive: true }));
  const spool = await openSpool(dir);
  const log = { warn: () => {}, error: () => {} };
  const start = (to = url) => {
    const send = createSend({ url: to, apiKey: 'a-key' });
    const delivery = startDelivery({ spool, send, log, pollMs: 5, firstPauseMs: 10, longestPauseMs: 40 });
    t.after(() => delivery.stop(0));
    return delivery;
  };
  return { dir, spool, start };
}

async function until(isSo: () => boolean | Promise<boolean>): Promise<void> {
  const deadline = Date.now() + 5_000;
  while (!(await isSo())) {
    assert.ok(Date.now() < deadline, 'never happened');
    await sleep(5);
  }
}

test('an item is repeated with the same key until the service takes it, and keeps its place in the line', async (t) => {
  const { seen, url } = await standIn(t, [hangUp, answer(503), answer(500), answer(201)]);
  const { spool, start } = await setUp(t, url);
  const lane = spool.lane('call');
  await Promise.all([lane.put('/first', { n: 1 }), lane.put('/second', null)]);
  start();
  await until(async () => (await spool.list()).size === 0);
  assert.deepEqual(
    seen.map((request) => request.path),
    ['/first', '/first', '/first', '/first', '/second'],
  );
  assert.equal(new Set(seen.map(({ key }) => key)).size, 2);
  assert.deepEqual([seen[3]?.body, seen[4]?.body], ['{"n":1}', '']);
  assert.equal(seen[0]?.authorization, 'Bearer a-key');
});

test('a service that asks for a pause gets it', async (t) => {
  const { seen, url } = await standIn(t, [answer(429, {}, { 'retry-after': '1' })]);
  const { spool, start } = await setUp(t, url);
  await spool.lane('call').put('/event', {});
  start();
  await until(() => seen.length === 2);
  assert.ok((seen[1]?.at ?? 0) - (seen[0]?.at ?? 0) >= 990);
});

test('a line that is stuck does not hold up another', async (t) => {
  const stuck = createSend({ url: 'http://127.0.0.1:1', apiKey: null });
  const { seen, url } = await standIn(t);
  const { spool } = await setUp(t, url);
  const send = createSend({ url, apiKey: null });
  await Promise.all([spool.lane('a').put('/stuck', {}), spool.lane('b').put('/event', {})]);
  const log = { warn: () => {}, error: () => {} };
  const either: typeof send = (item, signal) => (item.path === '/stuck' ? stuck : send)(item, signal);
  const delivery = startDelivery({ spool, log, send: either, firstPauseMs: 10_000 });
  t.after(() => delivery.stop(0));
  await until(async () => [...(await spool.list()).keys()].join() === 'a');
  assert.equal(seen.length, 1);
});

test('what is refused for good is put aside, and the next one goes on', async (t) => {
  const ended = answer(409, { code: 'session_ended' });
  const { seen, url } = await standIn(t, [answer(422), ended, answer(404)]);
  const { dir, spool, start } = await setUp(t, url);
  const lane = spool.lane('call');
  for (const name of ['/a', '/b', '/c', '/d']) await lane.put(name, {});
  start();
  await until(async () => (await spool.list()).size === 0);
  assert.equal(seen.length, 4);
  assert.equal((await readdir(path.join(dir, 'refused'))).length, 3);
});

test('what a person or time can repair is kept: a wrong key, a repetition that came too early', async (t) => {
  const { seen, url } = await standIn(t, [answer(401), answer(403), answer(409, { code: 'in_progress' })]);
  const { dir, spool, start } = await setUp(t, url);
  await spool.lane('call').put('/event', {});
  start();
  await until(async () => (await spool.list()).size === 0);
  assert.equal(seen.length, 4);
  assert.deepEqual(await readdir(path.join(dir, 'refused')), []);
});

test('what is left when the worker ends is sent by the next one, with the key it had', async (t) => {
  const { seen, url } = await standIn(t, [answer(503)]);
  const { spool, start } = await setUp(t, url);
  await spool.lane('call').put('/event', { n: 1 });
  const first = start();
  await until(() => seen.length === 1);
  await first.stop(0);
  assert.equal((await spool.list()).size, 1);
  await start().stop(5_000);
  assert.deepEqual([seen.length, seen[0]?.key === seen[1]?.key, (await spool.list()).size], [2, true, 0]);
});

test('Retry-After is in seconds or a date, and no service is waited for too long', () => {
  const now = Date.parse('2026-01-01T00:00:00Z');
  assert.equal(retryAfter('3', now), 3000);
  assert.equal(retryAfter('Thu, 01 Jan 2026 00:00:05 GMT', now), 5000);
  assert.equal(retryAfter('999999', now), 600_000);
  for (const header of [null, 'soon', 'Thu, 01 Jan 2025 00:00:00 GMT']) assert.equal(retryAfter(header, now), 0);
});
