import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SignJWT } from 'jose';
import { AUDIENCE, ask, env, issuer, PRINCIPALS, root, service, setJwksStatus } from './support/principals.ts';
import { startService } from './support/service.ts';

test('a service names the user it acts for; a user cannot name another', async () => {
  assert.equal((await ask('service', 'GET', '/api/agents/', { user: 'owner' })).status, 200);
  assert.equal((await ask('owner', 'GET', '/api/agents/', { user: 'owner' })).status, 200);
  const { status, body } = await ask('owner', 'GET', '/api/agents/', { user: 'other' });
  assert.deepEqual([status, body.code], [403, 'wrong_user']);
});

test('health, the description and the signed webhook need no key', async () => {
  for (const path of ['/healthz', '/readyz', '/openapi.json', '/docs/'])
    assert.equal((await service.request('GET', path)).status, 200, path);
  assert.equal((await service.request('POST', '/api/media/webhook', { body: {} })).status, 200);
});

test('a key is shown once, its hash is kept, its last use is told, and revoking it works at once', async () => {
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

test('a key of role user names its user, and no other does', async () => {
  for (const body of [
    { name: 'x', role: 'user' },
    { name: 'x', role: 'worker', user_id: 'owner' },
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

test('an identity provider that is away is a 503, and keys go on working', async () => {
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
