import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { createAgent, placeCall, USER } from '@switchboard/testkit/calls.ts';
import { openTestDatabase } from '@switchboard/testkit/database.ts';
import { eventually } from '@switchboard/testkit/eventually.ts';
import { serveHttp } from '@switchboard/testkit/http-server.ts';
import { startReceiver } from '@switchboard/testkit/receiver.ts';
import { startService } from '@switchboard/testkit/service.ts';
import { sql } from 'kysely';
import { systemClock } from '../../src/lib/clock.ts';
import { allPages } from '../support/answers.ts';
import { callbackTo } from '../support/callbacks.ts';
import { watchStatements } from '../support/statements.ts';

const receiver = await startReceiver();
const { url: base, at } = receiver;
const database = await openTestDatabase();
const sent = watchStatements(database);
const service = await startService({ database });
const agent_id = await createAgent(service);
const busyCall = (path: string) => placeCall(service, '+15005550001', { agent_id, callback_url: `${base}${path}` });

/** Lets the queue believe that every pause between attempts has passed. */
async function skipPauses(): Promise<void> {
  await sql`update callbacks set send_at = now() where send_at is not null`.execute(service.database.db);
}

test('a delivery is listed with its attempts: time, latency, response', async () => {
  receiver.answerWith = (path) => (path === '/listed' && at(path).length === 1 ? 500 : 204);
  const { call_id } = await busyCall('/listed');
  const waiting = await callbackTo(service, `${base}/listed`, ({ attempts }) => attempts.length === 1);
  assert.deepEqual(
    [waiting.status, waiting.call_id, waiting.user_id, waiting.type, waiting.delivered_at],
    ['pending', call_id, USER, 'call.failed', null],
  );
  const pause = new Date(waiting.next_attempt_at).getTime() - new Date(waiting.attempts[0].attempted_at).getTime();
  assert.ok(pause >= 5_000 && pause < 10_000, `${pause} ms`);
  await skipPauses();
  const delivered = await callbackTo(service, `${base}/listed`, ({ status }) => status === 'delivered');
  assert.deepEqual(
    delivered.attempts.map((attempt: { response_status: number }) => attempt.response_status),
    [500, 204],
  );
  for (const { attempted_at, latency_ms, error } of delivered.attempts) {
    assert.ok(new Date(attempted_at) >= new Date(delivered.created_at));
    assert.ok(latency_ms >= 0 && latency_ms < 10_000);
    assert.equal(error, null);
  }
  assert.deepEqual([delivered.next_attempt_at, delivered.delivered_at !== null], [null, true]);
});

test('callbacks are failing by their last attempt, whether they were given up or not; and listed by endpoint', async () => {
  receiver.answerWith = (path) => (path.startsWith('/broken') ? 500 : 204);
  const user = { user: USER };
  const { body: endpoint } = await service.request('POST', '/api/webhook-endpoints', {
    ...user,
    body: { url: `${base}/broken-endpoint`, events: ['call.failed'] },
  });
  await busyCall('/broken');
  const failing = async (query = '') => {
    const { body } = await service.request('GET', `/api/callbacks?is_failing=true${query}`, user);
    return body.items.map(({ url }: { url: string }) => url.slice(base.length)).sort();
  };
  assert.deepEqual(await eventually(failing, (urls) => urls.length === 2), ['/broken', '/broken-endpoint']);
  assert.deepEqual(await failing(`&endpoint_id=${endpoint.id}`), ['/broken-endpoint']);
  const { body: listed } = await service.request('GET', `/api/callbacks?endpoint_id=${endpoint.id}`, user);
  assert.deepEqual(
    listed.items.map(({ endpoint_id }: { endpoint_id: string }) => endpoint_id),
    [endpoint.id],
  );
  assert.deepEqual(await failing(`&endpoint_id=${crypto.randomUUID()}`), []);
  await sql`update callbacks set status = 'failed' where url = ${`${base}/broken`}`.execute(database.db);
  assert.deepEqual(await failing(), ['/broken', '/broken-endpoint']);
  receiver.answerWith = () => 204;
  const ids = (await service.request('GET', '/api/callbacks?is_failing=true', user)).body.items.map(
    ({ id }: { id: string }) => id,
  );
  await service.request('POST', '/api/callbacks/redeliver', { ...user, body: { ids } });
  assert.deepEqual(await eventually(failing, (urls) => urls.length === 0), []);
  // Pending again although its last attempt succeeded.
  await sql`update callbacks set status = 'pending', delivered_at = null where id = ${ids[0]}`.execute(database.db);
  assert.deepEqual(await failing(), []);
  await service.request('DELETE', `/api/webhook-endpoints/${endpoint.id}`, user);
});

test('a list of callbacks reads no bodies, and the newest fifty attempts of each', async () => {
  const { call_id } = await busyCall('/often');
  const { id } = await callbackTo(service, `${base}/often`, ({ status }) => status === 'delivered');
  await sql`
    insert into callback_attempts (id, callback_id, attempted_at, latency_ms, response_status)
    select gen_random_uuid(), ${id}, now() - make_interval(mins => earlier), 1, 500 from generate_series(1, 100) as earlier
  `.execute(service.database.db);
  const before = sent.length;
  const { body } = await service.request('GET', `/api/callbacks?call_id=${call_id}`);
  const shown = body.items.find((item: { id: string }) => item.id === id).attempts;
  assert.equal(shown.length, 50);
  const times = shown.map(({ attempted_at }: { attempted_at: string }) => attempted_at);
  assert.deepEqual(times, times.toSorted());
  const lists = sent.slice(before).filter(({ sql }) => sql.includes('from "callbacks" where "payload" is not null'));
  assert.equal(lists.length, 1);
  assert.doesNotMatch(lists[0]?.sql.split(' from ')[0] ?? '', /\*|payload/);
});

test('an unreachable receiver is listed with the kind of failure and no internal details', async () => {
  for (const [url, error] of [
    ['http://127.0.0.1:1/', 'connection_failed'],
    ['http://nowhere.invalid/', 'no_public_address'],
    [`${base.replace('http:', 'https:')}/`, 'tls_failed'],
  ] as const) {
    await placeCall(service, '+15005550001', { agent_id, callback_url: url });
    const { attempts } = await callbackTo(service, url, (found) => found.attempts.length > 0);
    assert.deepEqual([url, attempts[0].response_status, attempts[0].error], [url, null, error]);
  }
});

test('Retry-After is honoured, in seconds and as a date, and never shortens the pause', async () => {
  const inAnHour = new Date(Date.now() + 3_600_000).toUTCString();
  const retryAfters: Record<string, [string, number]> = {
    '/seconds': ['600', 600],
    '/date': [inAnHour, 3_590],
    '/sooner': ['0', 5],
    '/nonsense': ['soon', 5],
    '/for-ever': ['999999999', 86_400],
  };
  receiver.answerWith = (path) => (path in retryAfters ? 503 : 200);
  receiver.headersOf = (path): Record<string, string> =>
    path in retryAfters ? { 'retry-after': retryAfters[path]?.[0] ?? '' } : {};
  for (const [path, [, seconds]] of Object.entries(retryAfters)) {
    await busyCall(path);
    const { next_attempt_at, attempts } = await callbackTo(
      service,
      `${base}${path}`,
      (found) => found.attempts.length === 1,
    );
    const pause = (new Date(next_attempt_at).getTime() - new Date(attempts[0].attempted_at).getTime()) / 1000;
    assert.ok(pause >= seconds && pause < seconds + 15, `${path}: ${pause} s`);
    const { rows } = await sql<{ seconds: number }>`
      select extract(epoch from send_at - updated_at)::float as seconds from callbacks where url = ${`${base}${path}`} and payload is not null`.execute(
      service.database.db,
    );
    assert.ok(Math.abs((rows[0]?.seconds ?? 0) - pause) < 2, `it waits ${rows[0]?.seconds} s`);
  }
});

test('410 Gone disables the address: queued and later callbacks are kept but not sent', async () => {
  receiver.answerWith = (path) => (path === '/gone' ? 503 : 200);
  await busyCall('/gone');
  await callbackTo(service, `${base}/gone`, ({ attempts }) => attempts.length === 1);
  receiver.answerWith = (path) => (path === '/gone' ? 410 : 200);
  await busyCall('/gone');
  const list = async () => (await service.request('GET', '/api/callbacks?limit=100', { user: USER })).body.items;
  const gone = async () => (await list()).filter(({ url }: { url: string }) => url === `${base}/gone`);
  await eventually(
    gone,
    (all) => all.length === 2 && all.every(({ status }: { status: string }) => status === 'failed'),
  );
  await busyCall('/gone');
  await eventually(
    gone,
    (all) => all.length === 3 && all.every(({ status }: { status: string }) => status === 'failed'),
  );
  assert.equal(at('/gone').length, 2);
  // Another user's calls to the same address are not concerned.
  const other = await createAgent(service, { user_id: 'neighbour' });
  await service.request('POST', '/api/calls/outbound', {
    user: 'neighbour',
    body: { agent_id: other, phone_number: '+15005550001', callback_url: `${base}/gone` },
  });
  await eventually(
    async () => at('/gone').length,
    (count) => count === 3,
  );
});

test('410 Gone to an attempt that does not count, because its callback is deleted meanwhile, gives up no others', async () => {
  const { db } = service.database;
  let waiting: string | undefined;
  const { url, close } = await serveHttp(async ({ headers }, response) => {
    const id = String(headers['webhook-id']);
    waiting ??= id;
    if (id !== waiting) await db.deleteFrom('callbacks').where('id', '=', id).execute();
    response.writeHead(id === waiting ? 503 : 410).end();
  });
  after(close);
  const callTo = () => placeCall(service, '+15005550001', { agent_id, callback_url: url });
  await callTo();
  await callbackTo(service, url, ({ attempts }) => attempts.length === 1);
  const givenUp = async () =>
    (await service.request('GET', '/metrics')).body.match(/callback_attempts_total\{outcome="given_up"\} (\d+)/)?.[1];
  const before = await givenUp();
  await callTo();
  await eventually(givenUp, (count) => count !== before);
  const left = await db.selectFrom('callbacks').select(['id', 'status']).where('url', '=', url).execute();
  assert.ok(left.some(({ id }) => id === waiting));
  assert.deepEqual([...new Set(left.map(({ status }) => status))], ['pending']);
});

test('a failed callback can be redelivered with the same id and body, which enables its address again', async () => {
  receiver.answerWith = (path) => (path === '/back' ? 410 : 200);
  await busyCall('/back');
  const failed = await callbackTo(service, `${base}/back`, ({ status }) => status === 'failed');
  receiver.answerWith = () => 200;
  const answer = await service.request('POST', `/api/callbacks/${failed.id}/redeliver`, { user: USER });
  assert.deepEqual([answer.status, answer.body.status], [200, 'pending']);
  const delivered = await callbackTo(service, `${base}/back`, ({ status }) => status === 'delivered');
  assert.deepEqual([delivered.id, delivered.attempts.length], [failed.id, 2]);
  const [first, second] = at('/back');
  assert.deepEqual([second?.headers['webhook-id'], second?.body], [first?.headers['webhook-id'], first?.body]);
  await busyCall('/back');
  await eventually(
    async () => at('/back').length,
    (count) => count === 3,
  );
});

test('two concurrent redelivery requests make one counted attempt', async () => {
  await busyCall('/twice');
  const { id } = await callbackTo(service, `${base}/twice`, ({ status }) => status === 'delivered');
  await Promise.all([1, 2].map(() => service.request('POST', `/api/callbacks/${id}/redeliver`)));
  await callbackTo(service, `${base}/twice`, ({ status, attempts }) => status === 'delivered' && attempts.length === 2);
  await eventually(
    () =>
      service.database.db
        .selectFrom('callbacks')
        .select('id')
        .where('send_at', 'is not', null)
        .where('id', '=', id)
        .execute(),
    (rows) => rows.length === 0,
  );
  const { attempts } = await callbackTo(service, `${base}/twice`, ({ status }) => status === 'delivered');
  assert.equal(attempts.length, 2);
});

test('deliveries are listed newest first, paged, filtered by status and call, and only to their owner', async () => {
  const { call_id } = await busyCall('/page');
  await callbackTo(service, `${base}/page`, ({ status }) => status === 'delivered');
  const all = (await service.request('GET', '/api/callbacks?limit=100', { user: USER })).body.items;
  assert.deepEqual(await allPages(service, '/api/callbacks', 2, { user: USER }), all);
  assert.deepEqual(
    all.map(({ id }: { id: string }) => id),
    all
      .map(({ id }: { id: string }) => id)
      .sort()
      .reverse(),
  );
  const of = async (query: string, user = USER) =>
    (await service.request('GET', `/api/callbacks?${query}`, { user })).body.items;
  assert.deepEqual(
    (await of(`call_id=${call_id}`)).map(({ url }: { url: string }) => url),
    [`${base}/page`],
  );
  assert.ok((await of('status=failed')).every(({ status }: { status: string }) => status === 'failed'));
  assert.deepEqual(await of('call_id=nonsense'), []);
  assert.deepEqual(await of(`call_id=${call_id}`, 'stranger'), []);
  const [mine] = all;
  for (const id of [mine.id, 'nonsense', '01980000-0000-7000-8000-000000000000'])
    assert.equal((await service.request('POST', `/api/callbacks/${id}/redeliver`, { user: 'stranger' })).status, 404);
});

test('while the database fails, the claiming of callbacks is logged once and not at each poll', async () => {
  let polls = 0;
  const sleep = (ms: number, signal?: AbortSignal) => {
    polls++;
    return systemClock.sleep(ms, signal);
  };
  const service = await startService({ clock: { ...systemClock, sleep } });
  const { db } = service.database;
  await sql`alter table callbacks rename to away`.execute(db);
  const before = polls;
  await eventually(
    async () => polls,
    (count) => count > before + 10,
  );
  const said = () => service.logged().filter((line) => line.includes('claiming due callbacks'));
  assert.equal(said().length, 1, said().join(''));
  await sql`alter table away rename to callbacks`.execute(db);
  await eventually(
    async () => said(),
    (lines) => lines.some((line) => line.includes('succeeds again')),
  );
  assert.equal(said().length, 2, said().join(''));
  await service.close();
});
