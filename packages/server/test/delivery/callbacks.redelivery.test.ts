import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import { createAgent, placeCall, USER } from '@switchboard/testkit/calls.ts';
import { createTestClock } from '@switchboard/testkit/clock.ts';
import { eventually } from '@switchboard/testkit/eventually.ts';
import { startReceiver } from '@switchboard/testkit/receiver.ts';
import { startService } from '@switchboard/testkit/service.ts';
import { sql } from 'kysely';
import { Webhook } from 'standardwebhooks';
import { newId } from '../../src/lib/ids.ts';
import { assertRefused, problemsOf } from '../support/answers.ts';
import { callbackTo } from '../support/callbacks.ts';

const receiver = await startReceiver();
receiver.answerWith = () => 204;
const { url: base, at } = receiver;
const service = await startService({ env: { CALLS_PER_SECOND: '100' } });
const agent_id = await createAgent(service);
const send = (method: string, path: string, body?: object, user: string | null = USER) =>
  service.request(method, path, { ...(user !== null && { user }), ...(body && { body }) });
const endpoint = async (body: object, user = USER) =>
  (await send('POST', '/api/webhook-endpoints', body, user)).body as { id: string };
const sendTest = (id: string, user = USER) => send('POST', `/api/webhook-endpoints/${id}/test`, undefined, user);
const redeliver = (body: object, user: string | null = USER) => send('POST', '/api/callbacks/redeliver', body, user);
const LONG_AGO = '2020-01-01T00:00:00Z';

/** A callback that its receiver has answered with 410, which ends it and switches its address off. */
async function failed(path: string) {
  receiver.answerWith = () => 410;
  await placeCall(service, '+15005550001', { agent_id, callback_url: `${base}${path}` });
  const callback = await callbackTo(service, `${base}${path}`, ({ status }) => status === 'failed', { user: USER });
  receiver.answerWith = () => 204;
  return callback;
}

test('a test event reaches its endpoint alone, signed, and is listed as a delivery with its attempt', async () => {
  const { id } = await endpoint({ url: `${base}/tested`, events: ['call.failed'], is_active: false });
  const other = await endpoint({ url: `${base}/not-tested` });
  const queued = await sendTest(id);
  assert.equal(queued.status, 201);
  const { type, call_id, endpoint_id, status, attempts } = queued.body;
  assert.deepEqual(
    { type, call_id, endpoint_id, status, attempts },
    {
      type: 'webhook.test',
      call_id: null,
      endpoint_id: id,
      status: 'pending',
      attempts: [],
    },
  );
  const delivered = await callbackTo(service, `${base}/tested`, (one) => one.status === 'delivered', { user: USER });
  assert.deepEqual([delivered.id, delivered.attempts[0].response_status], [queued.body.id, 204]);
  const [received, ...others] = at('/tested');
  assert.deepEqual(others, []);
  const { secret } = (await send('GET', '/api/callbacks/secret')).body;
  const event = new Webhook(secret).verify(received?.body ?? '', received?.headers ?? {});
  const { data } = event as { data: { endpoint_id: string } };
  assert.deepEqual([received?.headers['webhook-id'], data.endpoint_id], [queued.body.id, id]);
  assert.deepEqual(at('/not-tested'), []);
  assert.equal((await send('DELETE', `/api/webhook-endpoints/${other.id}`)).status, 204);
});

test('a test event ends that an address is switched off, and reaches no address inside', async () => {
  const { id } = await endpoint({ url: `${base}/off`, is_active: false });
  receiver.answerWith = () => 410;
  await sendTest(id);
  const isOff = async () => (await send('GET', `/api/webhook-endpoints/${id}`)).body.disabled_at !== null;
  await eventually(isOff, Boolean);
  receiver.answerWith = () => 204;
  await sendTest(id);
  assert.equal(await isOff(), false);
  await eventually(
    async () => at('/off').length,
    (count) => count === 2,
  );
  const strict = await startService({ env: { CALLBACK_ALLOW_PRIVATE: 'false' } });
  const url = `${base}/inside`;
  const outside = { url: 'https://example.com/' };
  const inside = (await strict.request('POST', '/api/webhook-endpoints', { user: USER, body: outside })).body;
  // As it was given while private addresses were allowed.
  await strict.database.db.updateTable('webhook_endpoints').set({ url }).where('id', '=', inside.id).execute();
  const path = `/api/webhook-endpoints/${inside.id}/test`;
  assert.equal((await strict.request('POST', path, { user: USER })).status, 201);
  const refused = await callbackTo(strict, url, ({ attempts }) => attempts.length > 0, { user: USER });
  assert.deepEqual([refused.attempts[0].error, at('/inside')], ['no_public_address', []]);
  await strict.close();
});

test('an endpoint that is unknown, malformed or another user’s gets no test event', async () => {
  const { id } = await endpoint({ url: `${base}/foreign`, is_active: false });
  for (const one of [id, 'x', '01980000-0000-7000-8000-000000000001'])
    assertRefused(await sendTest(one, 'other'), 404, 'not_found');
  assert.deepEqual(at('/foreign'), []);
});

test('a user sends ten test events a minute', async () => {
  const clock = createTestClock();
  const limited = await startService({ clock });
  const ask = (path: string, body?: object) => limited.request('POST', path, { user: USER, ...(body && { body }) });
  const { id } = (await ask('/api/webhook-endpoints', { url: `${base}/often` })).body;
  const path = `/api/webhook-endpoints/${id}/test`;
  const answers = await Promise.all(Array.from({ length: 12 }, () => ask(path)));
  const refused = answers.filter(({ status }) => status !== 201);
  assert.equal(refused.length, 2);
  for (const answer of refused) assertRefused(answer, 429, 'too_many_requests');
  assert.equal(refused[0]?.headers.get('retry-after'), '60');
  clock.advance(60_000);
  assert.equal((await ask(path)).status, 201);
  await limited.close();
});

test('callbacks are redelivered by their ids; those of others and unknown ones are named', async () => {
  const [one, other] = [await failed('/one'), await failed('/other')];
  const unknown = ['x', '01980000-0000-7000-8000-000000000001'];
  const { status, body } = await redeliver({ ids: [one.id.toUpperCase(), other.id, other.id, ...unknown] });
  assert.deepEqual([status, body], [200, { redelivered: 2, not_found: unknown, has_more: false }]);
  for (const [path, { id }] of [
    ['/one', one],
    ['/other', other],
  ] as const) {
    const again = await callbackTo(service, `${base}${path}`, (found) => found.status === 'delivered', { user: USER });
    assert.deepEqual([again.id, again.attempts.length], [id, 2]);
    assert.deepEqual(at(path)[0]?.body, at(path)[1]?.body);
  }
  const stranger = await redeliver({ ids: [one.id] }, 'other');
  assert.deepEqual(stranger.body, { redelivered: 0, not_found: [one.id], has_more: false });
});

test('all that failed since a time are redelivered once, and those of the user alone', async () => {
  const old = await failed('/old');
  const since = new Date(Date.parse(old.created_at) + 1).toISOString();
  const recent = await failed('/recent');
  assert.deepEqual((await redeliver({ failed_since: since }, 'other')).body.redelivered, 0);
  const { body } = await redeliver({ failed_since: since });
  assert.deepEqual(body, { redelivered: 1, not_found: [], has_more: false });
  await callbackTo(service, recent.url, ({ status }) => status === 'delivered', { user: USER });
  assert.equal((await redeliver({ failed_since: since })).body.redelivered, 0);
  assert.equal(at('/old').length, 1);
  assert.ok((await redeliver({ failed_since: LONG_AGO }, null)).body.redelivered >= 1);
  await callbackTo(service, old.url, ({ status }) => status === 'delivered', { user: USER });
});

test('a request redelivers a thousand callbacks at most, and says that there are more', async () => {
  const at_ = new Date();
  const row = { session_id: null, endpoint_id: null, user_id: 'many', type: 'budget.threshold', payload: '{}' };
  const state = { status: 'failed', attempts: 20, next_attempt_at: null, delivered_at: null, send_at: null } as const;
  const rest = { url: `${base}/many`, host: null, traceparent: null, created_at: at_, updated_at: at_ };
  const rows = Array.from({ length: 1001 }, () => ({ id: newId(), ...row, ...state, ...rest }));
  await service.database.db.insertInto('callbacks').values(rows).execute();
  const ids = rows.map(({ id }) => id);
  assert.deepEqual(problemsOf(await redeliver({ ids }, 'many')), ['body.ids too_long']);
  const first = await redeliver({ failed_since: LONG_AGO }, 'many');
  assert.deepEqual(first.body, { redelivered: 1000, not_found: [], has_more: true });
  await sql`delete from callbacks where user_id = 'many' and id != ${ids.at(-1)}`.execute(service.database.db);
  const second = await redeliver({ failed_since: LONG_AGO }, 'many');
  assert.deepEqual(second.body, { redelivered: 1, not_found: [], has_more: false });
});

test('what names no callbacks, or names them in two ways, is a 422', async () => {
  for (const [body, expected] of [
    [{}, ['body.ids value_error']],
    [{ ids: ['x'], failed_since: LONG_AGO }, ['body.failed_since value_error']],
    [{ ids: [] }, ['body.ids too_short']],
    [{ failed_since: 'yesterday' }, ['body.failed_since datetime_parsing']],
    [{ failed_since: LONG_AGO, status: 'failed' }, ['body.status extra_forbidden']],
  ] as const)
    assert.deepEqual(problemsOf(await redeliver(body)), expected);
});

test('redeliveries by several requests at once all come back, and send each callback', async () => {
  const paths = ['/p1', '/p2', '/p3', '/p4'];
  const callbacks = [];
  for (const path of paths) callbacks.push(await failed(path));
  const ids = callbacks.map(({ id }) => id);
  const answers = await Promise.all([
    redeliver({ ids }),
    redeliver({ ids: ids.toReversed() }),
    redeliver({ failed_since: LONG_AGO }),
    redeliver({ failed_since: LONG_AGO }),
  ]);
  assert.deepEqual([...new Set(answers.map(({ status }) => status))], [200]);
  for (const path of paths)
    await callbackTo(service, `${base}${path}`, (one) => one.status === 'delivered', { user: USER });
});

/** A callback that an endpoint at this path has answered with 410, which ends it. */
async function failedOf(path: string) {
  receiver.answerWith = () => 410;
  const { id: endpoint_id } = await endpoint({ url: `${base}${path}`, events: ['call.failed'] });
  await placeCall(service, '+15005550001', { agent_id });
  const callback = await callbackTo(service, `${base}${path}`, ({ status }) => status === 'failed', { user: USER });
  receiver.answerWith = () => 204;
  return { ...callback, path: `/api/webhook-endpoints/${endpoint_id}` };
}

test('callbacks of an endpoint that was deleted or deactivated are not redelivered', async () => {
  const [deleted, inactive] = [await failedOf('/deleted'), await failedOf('/inactive')];
  await send('DELETE', deleted.path);
  await send('PATCH', inactive.path, { is_active: false });
  const ids = [deleted.id, inactive.id];
  assert.deepEqual((await redeliver({ ids })).body, { redelivered: 0, not_found: ids, has_more: false });
  assert.equal((await redeliver({ failed_since: deleted.created_at })).body.redelivered, 0);
  for (const id of ids) assertRefused(await send('POST', `/api/callbacks/${id}/redeliver`), 404, 'not_found');
  // As if a transaction that began before the endpoints changed had queued them afterwards.
  await sql`update callbacks set status = 'pending', send_at = now() where id = any(${ids}::uuid[])`.execute(
    service.database.db,
  );
  for (const path of ['/deleted', '/inactive']) {
    await callbackTo(service, `${base}${path}`, ({ status }) => status === 'failed', { user: USER });
    assert.equal(at(path).length, 1);
  }
  await send('PATCH', inactive.path, { is_active: true });
  assert.deepEqual((await redeliver({ ids })).body.not_found, [deleted.id]);
  await callbackTo(service, `${base}/inactive`, ({ status }) => status === 'delivered', { user: USER });
  await send('DELETE', inactive.path);
});

test('a callback of an endpoint is sent to the address that this has now', async () => {
  const { id, path } = await failedOf('/former');
  await send('PATCH', path, { url: `${base}/present` });
  assert.equal((await redeliver({ ids: [id] })).body.redelivered, 1);
  const present = await callbackTo(service, `${base}/present`, ({ status }) => status === 'delivered', { user: USER });
  assert.deepEqual([present.id, at('/present').length, at('/former').length], [id, 1, 1]);
  // As if a transaction that began before the change had queued it afterwards.
  await sql`update callbacks set url = ${`${base}/former`}, status = 'pending', send_at = now() where id = ${id}`.execute(
    service.database.db,
  );
  await eventually(
    async () => at('/present').length,
    (count) => count === 2,
  );
  assert.equal(at('/former').length, 1);
  const { db } = service.database;
  const state = () => db.selectFrom('callbacks').select('status').where('id', '=', id).executeTakeFirstOrThrow();
  await eventually(state, ({ status }) => status === 'delivered');
  // The same, and the new address was switched off meanwhile.
  const url_hash = createHash('md5').update(`${base}/present`).digest('hex');
  await db
    .insertInto('callback_endpoints_off')
    .values({ user_id: USER, url_hash, switched_off_at: new Date() })
    .execute();
  await sql`update callbacks set url = ${`${base}/former`}, status = 'pending', send_at = now() where id = ${id}`.execute(
    db,
  );
  await eventually(state, ({ status }) => status === 'failed');
  assert.deepEqual([at('/present').length, at('/former').length], [2, 1]);
  await send('DELETE', path);
});

test('a test event that failed is redelivered to its endpoint, also while this is inactive', async () => {
  const { id: endpoint_id } = await endpoint({ url: `${base}/quiet`, is_active: false });
  receiver.answerWith = () => 410;
  const { id } = (await sendTest(endpoint_id)).body;
  await callbackTo(service, `${base}/quiet`, ({ status }) => status === 'failed', { user: USER });
  receiver.answerWith = () => 204;
  assert.equal((await redeliver({ ids: [id] })).body.redelivered, 1);
  await callbackTo(service, `${base}/quiet`, ({ status }) => status === 'delivered', { user: USER });
  await send('DELETE', `/api/webhook-endpoints/${endpoint_id}`);
});

test('after a redelivery the attempts begin anew: a callback that was given up after twenty is tried twenty times', async () => {
  const { id, url } = await failed('/anew');
  const { db } = service.database;
  await sql`delete from callback_attempts where callback_id = ${id}`.execute(db);
  await sql`update callbacks set attempts = 20 where id = ${id}`.execute(db);
  receiver.answerWith = (path) => (path === '/anew' ? 503 : 204);
  assert.equal((await redeliver({ ids: [id] })).body.redelivered, 1);
  const waiting = await callbackTo(service, url, ({ attempts }) => attempts.length === 1, { user: USER });
  const pause = Date.parse(waiting.next_attempt_at) - Date.parse(waiting.attempts[0].attempted_at);
  assert.ok(waiting.status === 'pending' && pause >= 5_000 && pause < 10_000, `${waiting.status}, ${pause} ms`);
  receiver.answerWith = () => 204;
  await sql`update callbacks set send_at = now() where id = ${id}`.execute(db);
  const { attempts } = await callbackTo(service, url, ({ status }) => status === 'delivered', { user: USER });
  assert.equal(attempts.length, 2);
});
