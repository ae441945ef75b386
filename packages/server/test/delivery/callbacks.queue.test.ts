import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, test } from 'node:test';
import { createAgent, placeCall, reaches } from '@switchboard/testkit/calls.ts';
import { openTestDatabase } from '@switchboard/testkit/database.ts';
import { eventually } from '@switchboard/testkit/eventually.ts';
import { serveHttp } from '@switchboard/testkit/http-server.ts';
import { startReceiver } from '@switchboard/testkit/receiver.ts';
import { type Service, startService } from '@switchboard/testkit/service.ts';
import { sql } from 'kysely';
import { MAX_DELIVERY_BYTES } from '../../src/delivery/callbacks/hosts.ts';
import { insertCallbacks } from '../../src/delivery/callbacks/store.ts';
import { newId } from '../../src/lib/ids.ts';
import { callbackTo } from '../support/callbacks.ts';

const receiver = await startReceiver();
const { url: base, at } = receiver;
/** Longer than the tests take: who hangs, hangs until they end. */
const CALLBACK_TIMEOUT_MS = '60000';
const service = await startService({ env: { CALLBACK_TIMEOUT_MS, CALLS_BURST: '1000' } });
const { db } = service.database;
const agent_id = await createAgent(service);
const sendAll = (of: Service) =>
  sql`update callbacks set send_at = now() where send_at is not null`.execute(of.database.db);

/**
 * Queues callbacks of one call to these addresses, small ones in one statement: the embedded database has one
 * connection, and a sender that waits for a long transaction rests for longer.
 */
async function queue(
  urls: string[],
  on: Service = service,
  user_id?: string | ((url: string) => string),
  bytes = 0,
): Promise<string[]> {
  const { call_id } = await placeCall(on, '+15005550001', on === service ? { agent_id } : {});
  const within = on.database.db;
  const session = await within.selectFrom('sessions').selectAll().where('id', '=', call_id).executeTakeFirstOrThrow();
  const now = new Date();
  const events = urls.map((url) => ({
    id: newId(),
    session_id: session.id,
    user_id: (typeof user_id === 'function' ? user_id(url) : user_id) ?? session.user_id,
    type: 'call.answered',
    payload: JSON.stringify({ type: 'call.answered', timestamp: now, data: { call_id } }).padEnd(bytes),
    url,
    due_at: now,
  }));
  // Large ones a few at a time: a statement of 64 MB takes longer than its time limit on a busy machine.
  const atOnce = bytes === 0 ? events.length : 6;
  for (let at = 0; at < events.length; at += atOnce)
    await insertCallbacks(within, events.slice(at, at + atOnce), now, null);
  return events.map(({ id }) => id);
}

/** A receiver that answers when it is called to. */
async function startHanging() {
  const held: http.ServerResponse[] = [];
  const { url, close } = await serveHttp((request, response) => {
    request.resume();
    held.push(response);
  });
  after(close);
  return { held, url, drop: close };
}

const times = (count: number) => Array.from({ length: count }, (_, index) => index);
const statusOf = (ids: string[]) =>
  db.selectFrom('callbacks').select(['id', 'status']).where('id', 'in', ids).execute();

test('with a fifth of the receivers hanging, and hundreds of callbacks queued for each, all others are delivered', async () => {
  const hanging = await Promise.all(times(2).map(startHanging));
  const good = await Promise.all(times(8).map(startReceiver));
  await queue(hanging.flatMap((one) => times(400).map((index) => `${one.url}/${index}`)));
  const ids = await queue(good.flatMap((one) => times(20).map((index) => `${one.url}/${index}`)));
  await eventually(
    () => statusOf(ids),
    (rows) => rows.length === 160 && rows.every(({ status }) => status === 'delivered'),
  );
  for (const one of good) assert.equal(one.received.length, 20);
  for (const one of hanging) assert.ok(one.held.length > 0 && one.held.length <= 4, `${one.held.length} hang`);
  await sql`delete from callbacks where status = 'pending'`.execute(db);
  for (const one of hanging) one.drop();
});

test('when one user’s path on a shared host hangs, with hundreds queued, other users’ callbacks are delivered', async () => {
  const held: http.ServerResponse[] = [];
  const called: string[] = [];
  const shared = await serveHttp((request, response) => {
    request.resume();
    if (request.url?.startsWith('/mallory')) return void held.push(response);
    called.push(request.url ?? '');
    response.end();
  });
  after(shared.close);
  const at = shared.url;
  await queue(
    times(400).map((index) => `${at}/mallory/${index}`),
    service,
    'mallory',
  );
  await eventually(
    async () => held.length,
    (count) => count === 4,
  );
  // More than the host has room for at first; each of them once, and all of them.
  const others = times(60).map((index) => `user-${index}`);
  const ids = await queue(
    others.map((user) => `${at}/${user}`),
    service,
    (url) => new URL(url).pathname.slice(1),
  );
  await eventually(
    () => statusOf(ids),
    (rows) => rows.length === others.length && rows.every(({ status }) => status === 'delivered'),
  );
  assert.deepEqual(called.sort(), others.map((user) => `/${user}`).sort());
  assert.equal(held.length, 4);
  await sql`delete from callbacks where status = 'pending'`.execute(db);
});

test('when many users’ paths on a host hang, with hundreds queued, a user whose path answers goes first', async () => {
  const held: http.ServerResponse[] = [];
  let isDelivered = false;
  const shared = await serveHttp((request, response) => {
    request.resume();
    if (request.url?.startsWith('/mallory')) return void held.push(response);
    isDelivered = true;
    response.end();
  });
  after(shared.close);
  const at = shared.url;
  const paths = times(30).flatMap((index) => times(8).map((user) => `${at}/mallory-${user}/${index}`));
  await queue(paths, service, (url) => new URL(url).pathname.split('/')[1] ?? '');
  const areHeld = (expected: number) =>
    eventually(
      async () => held.length,
      (count) => count === expected,
    );
  const giveUp = () => {
    for (const response of held.splice(0)) response.destroy();
  };
  // At first the host has room for four of each user; as none has answered, then for one of each.
  await areHeld(32);
  giveUp();
  await areHeld(8);
  await queue([`${at}/alice`], service, 'alice');
  // Hers is one of the next to start, although hundreds came before it.
  giveUp();
  await eventually(
    async () => isDelivered,
    (is) => is,
  );
  await sql`delete from callbacks where status = 'pending'`.execute(db);
  giveUp();
});

/** As many receivers that hang, each at an address of its own. */
async function startHangingHosts(count: number) {
  const held: http.ServerResponse[] = [];
  const hang = (_request: http.IncomingMessage, response: http.ServerResponse) => void held.push(response);
  const addresses = times(count).map((index) => `127.0.1.${index + 1}`);
  const servers = addresses.map((address) => http.createServer(hang).listen(0, address));
  const close = () => {
    for (const server of servers) server.close().closeAllConnections();
  };
  after(close);
  await Promise.all(servers.map((server) => once(server, 'listening')));
  const urls = servers.map((server, index) => `http://${addresses[index]}:${(server.address() as AddressInfo).port}`);
  return { held, urls, close };
}

/** Queues callbacks for alice, and waits until they are delivered, while all of the others hang. */
async function deliverToAlice(held: http.ServerResponse[]): Promise<void> {
  const ids = await queue(
    times(20).map((index) => `${base}/alice/${randomUUID()}/${index}`),
    service,
    'alice',
  );
  await eventually(
    () => statusOf(ids),
    (rows) => rows.length === 20 && rows.every(({ status }) => status === 'delivered'),
  );
  assert.equal(held.filter(({ destroyed }) => destroyed).length, 0, 'some that hang have been given up');
}

test('when one user’s receivers hang on hundreds of hosts, another user’s callbacks are delivered', async () => {
  // They have room for more than all callbacks that may be under way.
  const { held, urls, close } = await startHangingHosts(200);
  await queue(
    urls.flatMap((url) => times(4).map((index) => `${url}/${index}`)),
    service,
    'mallory',
  );
  await eventually(
    async () => held.length,
    (count) => count > 400,
  );
  await deliverToAlice(held);
  await sql`delete from callbacks where status = 'pending'`.execute(db);
  close();
});

test('callbacks under way hold 64 MiB at most, and one user’s leave some for others', async () => {
  const { held, urls, close } = await startHangingHosts(15);
  await queue(
    urls.flatMap((url) => times(4).map((index) => `${url}/large/${index}`)),
    service,
    'mallory',
    MAX_DELIVERY_BYTES / 64,
  );
  await eventually(
    async () => held.length,
    (count) => count > 40,
  );
  await deliverToAlice(held);
  assert.ok(held.length <= 45, `${held.length} of a megabyte each`);
  await sql`delete from callbacks where status = 'pending'`.execute(db);
  close();
});

test('concurrent results are recorded in batches', async () => {
  const hanging = await Promise.all(times(5).map(startHanging));
  const ids = await queue(hanging.flatMap((one) => times(4).map((index) => `${one.url}/${index}`)));
  const held = () => hanging.flatMap((one) => one.held);
  await eventually(
    async () => held().length,
    (count) => count === 20,
  );
  for (const response of held()) response.writeHead(200).end();
  await eventually(
    () => statusOf(ids),
    (rows) => rows.every(({ status }) => status === 'delivered'),
  );
  // Rows of one transaction share its number.
  const { rows } = await sql<{ count: number }>`
    select count(distinct xmin::text)::integer as count from callback_attempts where callback_id = any (${ids}::uuid[])`.execute(
    db,
  );
  assert.ok((rows[0]?.count ?? 20) <= 10, `20 results in ${rows[0]?.count} transactions`);
  for (const one of hanging) one.drop();
});

test('a result that cannot be recorded fails alone: only its callback is sent again, as if the process had died', async () => {
  await sql`create function refuse() returns trigger language plpgsql as $$ begin
    if (select url from callbacks where id = new.callback_id) like '%/refused' then raise exception 'refused'; end if;
    return new; end $$`.execute(db);
  await sql`create trigger refuse before insert on callback_attempts for each row execute function refuse()`.execute(
    db,
  );
  const paths = ['/kept-0', '/refused', '/kept-1', '/kept-2'];
  const ids = await queue(paths.map((path) => `${base}${path}`));
  await eventually(
    () => statusOf(ids),
    (rows) => rows.filter(({ status }) => status === 'delivered').length === 3,
  );
  await eventually(
    async () =>
      service.logged().filter((line) => line.includes('attempting a callback, or recording the attempt, failed')),
    (lines) => lines.length === 1,
  );
  assert.equal(at('/refused').length, 1);
  await sql`drop trigger refuse on callback_attempts`.execute(db);
  // The lease runs out.
  await sendAll(service);
  const { attempts } = await callbackTo(service, `${base}/refused`, ({ status }) => status === 'delivered');
  assert.equal(attempts.length, 1);
  const [first, second] = at('/refused');
  assert.deepEqual([second?.headers['webhook-id'], second?.body], [first?.headers['webhook-id'], first?.body]);
  for (const path of paths.filter((path) => path !== '/refused')) assert.equal(at(path).length, 1);
});

test('two processes share the work, and send each callback once', async () => {
  const database = await openTestDatabase();
  const both = await Promise.all(times(2).map(() => startService({ database })));
  const good = await Promise.all(times(5).map(startReceiver));
  const urls = good.flatMap((one) => times(20).map((index) => `${one.url}/${index}`));
  await queue(urls, both[0] as Service);
  await eventually(
    () => database.db.selectFrom('callbacks').select('id').where('status', '=', 'pending').execute(),
    (rows) => rows.length === 0,
  );
  for (const one of good) assert.equal(one.received.length, 20);
  for (const one of both) await one.close();
  await database.close();
});

test('a call whose callback host is longer than DNS allows ends normally, and its callbacks fail', async () => {
  // Each character becomes about three in the name as it is asked for.
  const name = String.fromCodePoint(...times(2000).map((index) => 0x4e00 + ((index * 7919) % 20_000)));
  const { call_id } = await placeCall(service, '+15005550001', { agent_id, callback_url: `http://${name}/` });
  await reaches(service, call_id, 'FAILED');
  const { body } = await eventually(
    () => service.request('GET', `/api/callbacks?call_id=${call_id}`),
    ({ body }) => body.items[0]?.attempts.length === 1,
  );
  assert.equal(body.items[0].attempts[0].response_status, null);
});
