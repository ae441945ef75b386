import assert from 'node:assert/strict';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, test } from 'node:test';
import { type CryptoKey, exportJWK, generateKeyPair, SignJWT } from 'jose';
import { createKeys } from '../src/keys/keys.ts';
import { systemClock } from '../src/lib/clock.ts';
import { startService } from './support/service.ts';

const AUDIENCE = 'switchboard-test';
const signing = await generateKeyPair('ES256');
const strange = await generateKeyPair('ES256');
let jwksStatus = 200;
const provider = http.createServer(async (_request, response) => {
  const jwk = { ...(await exportJWK(signing.publicKey)), kid: 'one', alg: 'ES256', use: 'sig' };
  response.writeHead(jwksStatus, { 'content-type': 'application/json' }).end(JSON.stringify({ keys: [jwk] }));
});
await new Promise<void>((resolve) => provider.listen(0, '127.0.0.1', resolve));
after(() => provider.close());
const issuer = `http://127.0.0.1:${(provider.address() as AddressInfo).port}`;

const env = {
  AUTH_MODE: 'required',
  AUTH_JWT_ISSUER: issuer,
  AUTH_JWT_AUDIENCE: AUDIENCE,
  AUTH_JWT_JWKS_URL: `${issuer}/jwks.json`,
};
const service = await startService({ env });
const keys = createKeys({ db: service.database.db, clock: systemClock });

interface Claims {
  sub?: string;
  aud?: string;
  iss?: string;
  exp?: string;
  key?: CryptoKey;
}

function jwt({
  sub = 'owner',
  aud = AUDIENCE,
  iss = issuer,
  exp = '5m',
  key = signing.privateKey,
}: Claims = {}): Promise<string> {
  return new SignJWT({ sub })
    .setProtectedHeader({ alg: 'ES256', kid: 'one' })
    .setIssuer(iss)
    .setAudience(aud)
    .setExpirationTime(exp)
    .sign(key);
}

const root = (await keys.create({ name: 'root', role: 'service' })).key;
const revoked = await keys.create({ name: 'gone', role: 'service' });
await keys.revoke(revoked.id);

const PRINCIPALS: Record<string, string | null> = {
  service: root,
  worker: (await keys.create({ name: 'worker', role: 'worker' })).key,
  owner: (await keys.create({ name: 'owner', role: 'user', user_id: 'owner' })).key,
  'owner by JWT': await jwt(),
  'other user': (await keys.create({ name: 'other', role: 'user', user_id: 'other' })).key,
  'revoked key': revoked.key,
  'expired token': await jwt({ exp: '-1m' }),
  'token for another audience': await jwt({ aud: 'someone-else' }),
  'token of another issuer': await jwt({ iss: 'https://example.com' }),
  'token signed by another key': await jwt({ key: strange.privateKey }),
  nobody: null,
};
const REFUSED = Object.keys(PRINCIPALS).slice(5);

function ask(who: string, method: string, path: string, options: { user?: string; body?: unknown } = {}) {
  const token = PRINCIPALS[who];
  return service.request(method, path, { ...options, ...(token && { headers: { authorization: `Bearer ${token}` } }) });
}

const as = (who: string) => (method: string, path: string, body?: unknown) =>
  ask(who, method, path, body === undefined ? {} : { body });
const agent = (await as('owner')('POST', '/api/agents/', { name: 'Front desk', user_id: 'owner' })).body;
const session = (await as('owner')('POST', '/api/sessions/', { user_id: 'owner', room_name: 'auth-room' })).body;
const call = (await as('owner')('POST', '/api/calls/outbound', { agent_id: agent.id, phone_number: '+15005550001' }))
  .body;
const usage = {
  session_id: session.id,
  user_id: 'owner',
  provider: 'p',
  event_type: 'llm_tokens',
  quantity: 1,
  unit_cost: 1,
  total_cost: 1,
};

interface Operation {
  method: string;
  path: string;
  body?: unknown;
  /** What each role gets that is let in; the owner's status is the service's too unless given. */
  owner: number;
  service?: number;
  worker: number;
  other: number;
}

/** Every operation under /api and the metrics, with the status each principal gets. */
const MATRIX: Operation[] = [
  { method: 'POST', path: '/api/usage/events', body: usage, owner: 201, worker: 201, other: 403 },
  { method: 'GET', path: `/api/sessions/${session.id}`, owner: 200, worker: 200, other: 404 },
  { method: 'PATCH', path: `/api/sessions/${session.id}`, body: { metadata: {} }, owner: 200, worker: 200, other: 404 },
  {
    method: 'POST',
    path: `/api/sessions/${session.id}/transfer`,
    body: { phone_number: '+15005550101' },
    owner: 409,
    worker: 409,
    other: 404,
  },
  { method: 'POST', path: `/api/sessions/${session.id}/transfer/complete`, owner: 409, worker: 409, other: 404 },
  {
    method: 'POST',
    path: '/api/sessions/by-room/auth-room/transcripts',
    body: { content: 'x' },
    owner: 201,
    worker: 201,
    other: 404,
  },
  {
    method: 'POST',
    path: '/api/calls/outbound',
    body: { agent_id: agent.id, phone_number: '+15005550001' },
    owner: 201,
    service: 422,
    worker: 403,
    other: 404,
  },
  { method: 'GET', path: `/api/calls/${call.call_id}/status`, owner: 200, worker: 403, other: 404 },
  { method: 'POST', path: '/api/agents/', body: { name: 'x', user_id: 'owner' }, owner: 201, worker: 403, other: 403 },
  { method: 'GET', path: '/api/agents/', owner: 200, service: 401, worker: 403, other: 200 },
  { method: 'GET', path: `/api/agents/${agent.id}`, owner: 200, worker: 403, other: 404 },
  { method: 'PATCH', path: `/api/agents/${agent.id}`, body: {}, owner: 200, worker: 403, other: 404 },
  {
    method: 'POST',
    path: '/api/telephony/numbers/assign',
    body: { agent_id: agent.id, phone_number: '+15005550099' },
    owner: 404,
    worker: 403,
    other: 404,
  },
  {
    method: 'POST',
    path: '/api/telephony/numbers/release',
    body: { agent_id: agent.id },
    owner: 409,
    worker: 403,
    other: 404,
  },
  { method: 'GET', path: '/api/costs/summary', owner: 200, service: 401, worker: 403, other: 200 },
  { method: 'GET', path: '/api/costs/by-agent', owner: 200, service: 401, worker: 403, other: 200 },
  { method: 'GET', path: '/api/costs/timeline', owner: 200, service: 401, worker: 403, other: 200 },
  {
    method: 'POST',
    path: '/api/sessions/',
    body: { user_id: 'owner', room_name: 'auth-room' },
    owner: 200,
    worker: 403,
    other: 403,
  },
  { method: 'GET', path: '/api/sessions/', owner: 200, worker: 200, other: 200 },
  { method: 'GET', path: '/api/sessions/by-room/auth-room', owner: 200, worker: 200, other: 404 },
  { method: 'GET', path: `/api/sessions/${session.id}/transcripts`, owner: 200, worker: 200, other: 404 },
  { method: 'GET', path: `/api/sessions/${session.id}/costs`, owner: 200, worker: 403, other: 404 },
  { method: 'GET', path: '/api/calls/', owner: 200, worker: 403, other: 200 },
  { method: 'GET', path: `/api/calls/${call.call_id}`, owner: 200, worker: 403, other: 404 },
  { method: 'POST', path: `/api/calls/${call.call_id}/end`, owner: 200, worker: 403, other: 404 },
  { method: 'GET', path: '/api/telephony/numbers', owner: 200, worker: 403, other: 200 },
  { method: 'GET', path: '/api/telephony/lookup?phone_number=%2B15005550019', owner: 404, worker: 404, other: 404 },
  { method: 'GET', path: '/api/callbacks/secret', owner: 200, service: 401, worker: 403, other: 200 },
  {
    method: 'POST',
    path: '/api/media/token',
    body: { session_id: session.id },
    owner: 201,
    service: 401,
    worker: 403,
    other: 404,
  },
  { method: 'GET', path: '/api/keys', owner: 403, service: 200, worker: 403, other: 403 },
  {
    method: 'POST',
    path: '/api/keys',
    body: { name: 'x', role: 'worker' },
    owner: 403,
    service: 201,
    worker: 403,
    other: 403,
  },
  { method: 'POST', path: `/api/keys/${revoked.id}/revoke`, owner: 403, service: 200, worker: 403, other: 403 },
  { method: 'GET', path: '/metrics', owner: 403, service: 200, worker: 403, other: 403 },
  { method: 'POST', path: '/api/sessions/by-room/auth-room/end', owner: 200, worker: 200, other: 404 },
  { method: 'DELETE', path: `/api/agents/${agent.id}`, owner: 204, service: 404, worker: 403, other: 404 },
];

test('the matrix has every operation that is published', () => {
  const { paths } = service.app.server.swagger() as { paths: Record<string, Record<string, unknown>> };
  const published = Object.entries(paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
  );
  const open = ['GET /healthz', 'GET /readyz', 'POST /api/media/webhook'];
  assert.equal(MATRIX.length, published.filter((operation) => !open.includes(operation)).length);
});

for (const { method, path, body, owner, service: byService = owner, worker, other } of MATRIX) {
  test(`${method} ${path.replace(/[0-9a-f-]{36}/g, '{id}')}: who may, and who may not`, async () => {
    const options = body === undefined ? {} : { body };
    for (const who of REFUSED) {
      const { status, body: answer, headers } = await ask(who, method, path, options);
      assert.deepEqual(
        [who, status, answer.code, headers.get('www-authenticate')],
        [who, 401, 'unauthenticated', 'Bearer'],
      );
    }
    assert.deepEqual(['other user', (await ask('other user', method, path, options)).status], ['other user', other]);
    assert.deepEqual(['worker', (await ask('worker', method, path, options)).status], ['worker', worker]);
    assert.deepEqual(['owner', (await ask('owner by JWT', method, path, options)).status], ['owner', owner]);
    assert.deepEqual(['service', (await ask('service', method, path, options)).status], ['service', byService]);
  });
}

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
  jwksStatus = 500;
  const fresh = await startService({ env, database: service.database });
  const { status, body } = await fresh.request('GET', '/api/agents/', {
    headers: { authorization: `Bearer ${PRINCIPALS['owner by JWT']}` },
  });
  assert.deepEqual([status, body.code], [503, 'provider_unavailable']);
  assert.equal(
    (await fresh.request('GET', '/api/agents/', { headers: { authorization: `Bearer ${PRINCIPALS.owner}` } })).status,
    200,
  );
  jwksStatus = 200;
  await fresh.close();
});
