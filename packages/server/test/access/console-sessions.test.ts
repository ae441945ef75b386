import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { after, test } from 'node:test';
import { answeredCall, USER } from '@switchboard/testkit/calls.ts';
import { createTestClock } from '@switchboard/testkit/clock.ts';
import { openTestDatabase } from '@switchboard/testkit/database.ts';
import { listen } from '@switchboard/testkit/event-stream.ts';
import { keysOf } from '@switchboard/testkit/keys.ts';
import { startService } from '@switchboard/testkit/service.ts';
import { sql } from 'kysely';
import { MAX_GUESSES } from '../../src/http/rate-limit.ts';
import { assertRefused } from '../support/answers.ts';
import { env } from '../support/principals.ts';

const database = await openTestDatabase();
after(() => database.close());
const clock = createTestClock();
const open = await startService({ database });
const service = await startService({ database, env, clock });
const keys = keysOf(database);
const SESSION = '/api/console/session';
const own = service.url;

async function signIn(key: string, headers: Record<string, string> = {}) {
  const answer = await service.request('POST', SESSION, { body: { api_key: key }, headers });
  assert.equal(answer.status, 201, JSON.stringify(answer.body));
  const set = answer.headers.get('set-cookie') ?? '';
  return { body: answer.body, set, cookie: set.split(';')[0] ?? '' };
}

const userKey = await keys.create({ name: 'user', role: 'user', user_id: USER });
const serviceKey = await keys.create({ name: 'service', role: 'service' });
const workerKey = await keys.create({ name: 'worker', role: 'worker' });

test('a key is exchanged for a cookie that scripts cannot read, with the rights of the key', async () => {
  const { body, set, cookie } = await signIn(userKey.key);
  assert.match(set, /^switchboard_session=sbc_[\w-]{43}; Max-Age=43200; Path=\/; HttpOnly; SameSite=Strict$/);
  assert.deepEqual(
    [body.auth_mode, body.role, body.user_id, body.is_media_simulated, body.is_carrier_simulated, body.currency],
    ['required', 'user', USER, true, true, 'USD'],
  );
  assert.equal(Date.parse(body.expires_at), clock.now().getTime() + 12 * 3_600_000);
  const who = await service.request('GET', SESSION, { headers: { cookie: `other=1; ${cookie}` } });
  assert.deepEqual([who.status, who.body], [200, body]);
  assert.equal((await service.request('GET', '/api/calls/', { headers: { cookie } })).status, 200);
  assertRefused(await service.request('GET', '/api/keys', { headers: { cookie } }), 403, 'role_not_allowed');
  assertRefused(await service.request('GET', '/api/calls/', { headers: { cookie }, user: 'other' }), 403, 'wrong_user');
  const { rows } = await sql`select * from console_sessions`.execute(database.db);
  assert.ok(!JSON.stringify(rows).includes(cookie.slice('switchboard_session='.length)));
  const audit = await service.request('GET', '/api/audit', { headers: { authorization: `Bearer ${serviceKey.key}` } });
  assert.equal(audit.body.items[0].action, 'console.signed_in');
});

test('a service key chooses its user or none, a worker’s cannot sign in, and no other text can', async () => {
  const { cookie, body } = await signIn(serviceKey.key);
  assert.deepEqual([body.role, body.user_id], ['service', null]);
  for (const user of [USER, 'other', undefined])
    assert.equal(
      (await service.request('GET', '/api/calls/', { headers: { cookie }, ...(user && { user }) })).status,
      200,
    );
  assertRefused(await service.request('POST', SESSION, { body: { api_key: workerKey.key } }), 403, 'role_not_allowed');
  for (const api_key of ['x', 'sb_x', cookie.split('=')[1] ?? ''])
    assertRefused(await service.request('POST', SESSION, { body: { api_key } }), 401, 'unauthenticated');
});

test('what changes something by cookie must come from a page of the service', async () => {
  const { cookie } = await signIn(userKey.key);
  const create = (headers: Record<string, string>) =>
    service.request('POST', '/api/agents/', { headers: { cookie, ...headers }, body: { name: 'A', user_id: USER } });
  for (const origin of [
    {},
    { origin: 'https://evil.example' },
    { origin: 'null' },
    { origin: own.replace(/\d+$/, '1') },
  ])
    assertRefused(await create(origin as Record<string, string>), 403, 'origin_not_allowed');
  assert.equal((await create({ origin: own })).status, 201);
  // A key needs no origin: no browser sends it by itself.
  assert.equal((await create({ authorization: `Bearer ${userKey.key}`, origin: 'https://evil.example' })).status, 201);
  const elsewhere = { body: { api_key: userKey.key }, headers: { origin: 'https://evil.example' } };
  assertRefused(await service.request('POST', SESSION, elsewhere), 403, 'origin_not_allowed');
});

test('the token is good as a cookie alone, and a key is good in no cookie', async () => {
  const { cookie } = await signIn(userKey.key);
  const authorization = `Bearer ${cookie.split('=')[1]}`;
  assertRefused(await service.request('GET', SESSION, { headers: { authorization } }), 401, 'unauthenticated');
  const key = `switchboard_session=${userKey.key}`;
  assertRefused(await service.request('GET', SESSION, { headers: { cookie: key } }), 401, 'unauthenticated');
});

test('event streams work by cookie, and end when the session does', async () => {
  const { cookie } = await signIn(serviceKey.key);
  const { call_id } = await answeredCall(open);
  const one = await listen(`${own}/api/calls/${call_id}/events`, { cookie });
  await one.until((events) => events.length === 2);
  one.leave();
  const all = await listen(`${own}/api/events?user_id=${USER}`, { cookie });
  await all.until(() => all.lastId() !== '');
  await open.request('POST', `/api/calls/${call_id}/end`);
  clock.advance(200);
  const timer = setInterval(() => clock.advance(200), 50);
  await all.until((events) => events.length > 0);
  clearInterval(timer);
  assert.equal(all.events[0]?.data.call_id, call_id);
  all.leave();
});

test('signing out ends the session, and revoking the key those that were opened with it', async () => {
  const [one, other] = [await signIn(userKey.key), await signIn(userKey.key)];
  const out = await service.request('DELETE', SESSION, { headers: { cookie: one.cookie, origin: own } });
  assert.equal(out.status, 204);
  assert.match(out.headers.get('set-cookie') ?? '', /^switchboard_session=; Max-Age=0;/);
  clock.advance(1000);
  const who = ({ cookie }: { cookie: string }) => service.request('GET', SESSION, { headers: { cookie } });
  assertRefused(await who(one), 401, 'unauthenticated');
  assert.equal((await who(other)).status, 200);
  const key = await keys.create({ name: 'x', role: 'user', user_id: USER });
  const third = await signIn(key.key);
  await keys.revoke(key.id);
  clock.advance(1000);
  assertRefused(await who(third), 401, 'unauthenticated');
});

test('a session ends after 12 hours, and is forgotten; an erased user’s at once', async () => {
  const { cookie } = await signIn(userKey.key);
  const count = async () =>
    (await sql<{ n: number }>`select count(*) as n from console_sessions`.execute(database.db)).rows[0]?.n ?? 0;
  assert.ok((await count()) > 0);
  clock.advance(12 * 3_600_000 + 1);
  assertRefused(await service.request('GET', SESSION, { headers: { cookie } }), 401, 'unauthenticated');
  await service.app.reconcile();
  assert.equal(await count(), 0);
  await signIn(userKey.key);
  assert.equal(await count(), 1);
  await open.request('DELETE', `/api/users/${USER}`);
  assert.equal(await count(), 0);
});

test('over TLS the cookie is Secure and of this host alone; one without that prefix is not believed', async () => {
  const proxied = await startService({ database, env: { ...env, TRUST_PROXY: '127.0.0.1' } });
  const over = { 'x-forwarded-proto': 'https', 'x-forwarded-host': 'console.example.com' };
  const { headers } = await proxied.request('POST', SESSION, {
    body: { api_key: serviceKey.key },
    headers: { ...over, origin: 'https://console.example.com' },
  });
  const set = headers.get('set-cookie') ?? '';
  assert.match(set, /^__Host-switchboard_session=sbc_\S+; Max-Age=43200; Path=\/; HttpOnly; SameSite=Strict; Secure$/);
  const cookie = set.split(';')[0] ?? '';
  assert.equal((await proxied.request('GET', SESSION, { headers: { ...over, cookie } })).status, 200);
  // A page of another host of the same site can set the plain name.
  const plain = cookie.replace('__Host-', '');
  assertRefused(await proxied.request('GET', SESSION, { headers: { ...over, cookie: plain } }), 401, 'unauthenticated');
  await proxied.close();
});

test('behind a proxy as the documentation sets it up the console signs in', async () => {
  const proxied = await startService({ database, env: { ...env, TRUST_PROXY: '127.0.0.1' } });
  const page = await readFile(new URL('../../../../docs/operations.md', import.meta.url), 'utf8');
  const values: Record<string, string> = {
    scheme: 'https',
    http_host: 'calls.example.com',
    remote_addr: '203.0.113.1',
  };
  const written = [...page.matchAll(/proxy_set_header (X-Forwarded-\S+) \$(\w+);/g)];
  const headers = Object.fromEntries(written.map(([, name, variable = '']) => [name, values[variable] ?? '']));
  const fromPage = { ...headers, origin: 'https://calls.example.com' };
  const answer = await proxied.request('POST', SESSION, { body: { api_key: serviceKey.key }, headers: fromPage });
  assert.equal(answer.status, 201, JSON.stringify(answer.body));
  await proxied.close();
});

test('in open mode nobody signs in', async () => {
  const { body } = await open.request('GET', SESSION);
  assert.deepEqual([body.auth_mode, body.role, body.user_id, body.expires_at], ['open', null, null, null]);
  assertRefused(await open.request('POST', SESSION, { body: { api_key: userKey.key } }), 409, 'sign_in_not_needed');
});

test('guessing keys is rate limited', async () => {
  const guarded = await startService({ database, env });
  const statuses = new Set<number>();
  for (let times = 0; times < MAX_GUESSES + 20; times += 20)
    await Promise.all(
      Array.from({ length: 20 }, async () => {
        const { status } = await guarded.request('POST', SESSION, { body: { api_key: 'sb_wrong' } });
        statuses.add(status);
      }),
    );
  assert.deepEqual([...statuses].sort(), [401, 429]);
  await guarded.close();
});
