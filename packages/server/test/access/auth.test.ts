import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createTestClock } from '@switchboard/testkit/clock.ts';
import { openTestDatabase } from '@switchboard/testkit/database.ts';
import { keysOf } from '@switchboard/testkit/keys.ts';
import { startService } from '@switchboard/testkit/service.ts';
import { SignJWT } from 'jose';
import { problemsOf } from '../support/answers.ts';
import { AUDIENCE, ask, env, issuer, jwt, PRINCIPALS, root, service, setJwksStatus } from '../support/principals.ts';
import { watchStatements } from '../support/statements.ts';

test('a service names the user it acts for; a user cannot name another', async () => {
  assert.equal((await ask('service', 'GET', '/api/agents/', { user: 'owner' })).status, 200);
  assert.equal((await ask('owner', 'GET', '/api/agents/', { user: 'owner' })).status, 200);
  const { status, body } = await ask('owner', 'GET', '/api/agents/', { user: 'other' });
  assert.deepEqual([status, body.code], [403, 'wrong_user']);
});

test('health, the description, downloads and the signed webhook need no key', async () => {
  for (const path of ['/healthz', '/readyz', '/openapi.json', '/docs/', '/agent-tests.mjs', '/schemas/scenario.json'])
    assert.equal((await service.request('GET', path)).status, 200, path);
  assert.equal((await service.request('POST', '/api/media/webhook', { body: {} })).status, 200);
});

test('a key is shown once and stored as a hash, its last use is listed, and revoking it takes effect at once', async () => {
  const { status, body } = await ask('service', 'POST', '/api/keys', {
    body: { name: 'one', role: 'user', user_id: 'owner' },
  });
  assert.equal(status, 201);
  assert.match(body.key, /^sb_[\w-]{43}$/);
  const use = () => service.request('GET', '/api/agents/', { headers: { authorization: `Bearer ${body.key}` } });
  assert.equal((await use()).status, 200);
  const listed = (await ask('service', 'GET', '/api/keys')).body;
  const shown = listed.items.find((key: { id: string }) => key.id === body.id);
  assert.ok(shown.last_used_at);
  const rows = await service.database.db.selectFrom('api_keys').selectAll().execute();
  assert.ok(!JSON.stringify([listed, rows]).includes(body.key));
  assert.equal((await ask('service', 'POST', `/api/keys/${body.id}/revoke`)).body.revoked_at !== null, true);
  assert.equal((await use()).status, 401);
});

test('a key of role user must name its user, and other keys must not', async () => {
  for (const body of [
    { name: 'x', role: 'user' },
    { name: 'x', role: 'service', user_id: 'owner' },
    { name: 'x', role: 'root' },
  ]) {
    assert.equal((await ask('service', 'POST', '/api/keys', { body })).status, 422);
  }
});

test('an unsigned token, and one signed with a shared secret, is refused', async () => {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const claims = { sub: 'owner', iss: issuer, aud: AUDIENCE, exp: Math.floor(Date.now() / 1000) + 60 };
  const unsigned = `${part({ alg: 'none' })}.${part(claims)}.`;
  const shared = await new SignJWT(claims)
    .setProtectedHeader({ alg: 'HS256', kid: 'one' })
    .sign(Buffer.from('x'.repeat(32)));
  for (const token of [unsigned, shared, 'nonsense', 'a.b.c', `sb_${'x'.repeat(43)}`]) {
    const { status } = await service.request('GET', '/api/agents/', { headers: { authorization: `Bearer ${token}` } });
    assert.equal(status, 401, token);
  }
  assert.equal(
    (await service.request('GET', '/api/agents/', { headers: { authorization: `Basic ${root}` } })).status,
    401,
  );
});

test('a token whose subject cannot be stored is a 401', async () => {
  for (const sub of [5, true, null, ['owner'], { owner: true }, '', 'a\0b', '\ud800', 'x'.repeat(256)]) {
    const { status, body } = await service.request('GET', '/api/agents/', {
      headers: { authorization: `Bearer ${await jwt({ sub })}` },
    });
    assert.deepEqual([sub, status, body.code], [sub, 401, 'unauthenticated']);
  }
});

test('an unreachable identity provider is a 503, and API keys still work', async () => {
  setJwksStatus(500);
  const fresh = await startService({ env, database: service.database });
  const { status, body } = await fresh.request('GET', '/api/agents/', {
    headers: { authorization: `Bearer ${PRINCIPALS['owner by JWT']}` },
  });
  assert.deepEqual([status, body.code], [503, 'provider_unavailable']);
  assert.equal(
    (await fresh.request('GET', '/api/agents/', { headers: { authorization: `Bearer ${PRINCIPALS.owner}` } })).status,
    200,
  );
  setJwksStatus(200);
  await fresh.close();
});

test('a revoked key is refused at once in the same process, and within a second in others', async () => {
  const clock = createTestClock(new Date().toISOString());
  const [here, elsewhere] = [
    await startService({ env, clock, database: service.database }),
    await startService({ env, clock, database: service.database }),
  ];
  const body = { name: 'short-lived', role: 'user', user_id: 'owner' };
  const { id, key } = (await ask('service', 'POST', '/api/keys', { body })).body;
  const use = async (at: typeof here) =>
    (await at.request('GET', '/api/agents/', { headers: { authorization: `Bearer ${key}` } })).status;
  assert.deepEqual([await use(here), await use(elsewhere)], [200, 200]);
  const headers = { authorization: `Bearer ${root}` };
  assert.equal((await elsewhere.request('POST', `/api/keys/${id}/revoke`, { headers })).status, 200);
  assert.equal(await use(elsewhere), 401);
  clock.advance(1000);
  assert.equal(await use(here), 401);
  await Promise.all([here.close(), elsewhere.close()]);
});

test('a key costs at most one look-up a second and one write a minute, however many requests use it', async () => {
  const clock = createTestClock(new Date().toISOString());
  const database = await openTestDatabase();
  const keys = keysOf(database);
  const tokens = [
    (await keys.create({ name: 'one', role: 'user', user_id: 'owner' })).key,
    (await keys.create({ name: 'two', role: 'worker' })).key,
  ];
  const counted = await startService({ env, clock, database });
  const statements = watchStatements(database);
  const lookUps = () => statements.splice(0).filter(({ sql }) => /api_keys/.test(sql)).length;
  const use = async () => {
    for (const token of tokens) {
      const answer = await counted.request('GET', '/api/sessions/', { headers: { authorization: `Bearer ${token}` } });
      assert.equal(answer.status, 200);
    }
  };
  const lastUsed = async () => {
    const rows = await database.db.selectFrom('api_keys').select('last_used_at').orderBy('id').execute();
    return rows.map(({ last_used_at }) => last_used_at?.getTime());
  };
  const begun = clock.now().getTime();
  for (let times = 0; times < 20; times++) await use();
  assert.equal(lookUps(), tokens.length);
  assert.deepEqual(await lastUsed(), [begun, begun]);
  clock.advance(1000);
  await use();
  clock.advance(59_000);
  await use();
  assert.deepEqual(await lastUsed(), [begun, begun]);
  clock.advance(2000);
  await use();
  assert.deepEqual(await lastUsed(), [begun + 62_000, begun + 62_000]);
  await counted.close();
  await database.close();
});

test('a key is refused once it expires, even if it was just used', async () => {
  const clock = createTestClock('2026-03-01T10:00:00.000Z');
  const expiring = await startService({ env, clock, database: service.database });
  const headers = { authorization: `Bearer ${root}` };
  const create = (expires_at: unknown) =>
    expiring.request('POST', '/api/keys', {
      headers,
      body: { name: 'contractor', role: 'user', user_id: 'owner', expires_at },
    });
  for (const past of ['2026-03-01T10:00:00.000Z', '2020-01-01T00:00:00Z'])
    assert.deepEqual(problemsOf(await create(past)), ['body.expires_at datetime_future']);
  assert.deepEqual(problemsOf(await create('soon')), ['body.expires_at datetime_parsing']);
  assert.equal((await create(null)).body.expires_at, null);
  const { status, body } = await create('2026-03-01T11:00:00.500+01:00');
  assert.deepEqual([status, body.expires_at], [201, '2026-03-01T10:00:00.500Z']);
  const use = async () =>
    (await expiring.request('GET', '/api/agents/', { headers: { authorization: `Bearer ${body.key}` } })).status;
  assert.equal(await use(), 200);
  clock.advance(499);
  assert.equal(await use(), 200);
  clock.advance(1);
  assert.equal(await use(), 401);
  clock.advance(2000);
  assert.equal(await use(), 401);
  await expiring.close();
});
