// Web pages need cross-origin requests, and an event stream without a key.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { answeredCall, USER } from '@switchboard/testkit/calls.ts';
import { keysOf } from '@switchboard/testkit/keys.ts';
import { startService } from '@switchboard/testkit/service.ts';
import { sql } from 'kysely';

const ORIGIN = 'https://app.example.com';
const service = await startService({ env: { AUTH_MODE: 'required', CORS_ORIGINS: `${ORIGIN},https://two.example` } });
const { key } = await keysOf(service.database).create({ name: 'a backend', role: 'service', user_id: null });
const bearer = (token: string) => ({ headers: { authorization: `Bearer ${token}` } });
const asKey: typeof service = {
  ...service,
  request: (method, path, options = {}) =>
    service.request(method, path, { ...options, headers: { ...bearer(key).headers, ...options.headers } }),
};

const preflight = (origin: string, headers = 'authorization,content-type,idempotency-key,x-user-id') =>
  fetch(`${service.url}/api/calls/outbound`, {
    method: 'OPTIONS',
    headers: { origin, 'access-control-request-method': 'POST', 'access-control-request-headers': headers },
  });

test('a preflight from a listed origin is answered without a key and lists the allowed headers', async () => {
  const answer = await preflight(ORIGIN);
  assert.equal(answer.status, 204);
  assert.equal(answer.headers.get('access-control-allow-origin'), ORIGIN);
  assert.match(answer.headers.get('access-control-allow-methods') ?? '', /POST/);
  for (const header of ['authorization', 'idempotency-key', 'x-user-id'])
    assert.ok(answer.headers.get('access-control-allow-headers')?.includes(header), header);
  assert.equal(answer.headers.get('access-control-allow-credentials'), null);
});

test('a page of a listed origin may read responses and errors, other pages may not', async () => {
  const ask = (origin: string) => fetch(`${service.url}/api/agents/`, { headers: { origin } });
  const listed = await ask(ORIGIN);
  assert.equal(listed.status, 401);
  assert.equal(listed.headers.get('access-control-allow-origin'), ORIGIN);
  assert.match(listed.headers.get('access-control-expose-headers') ?? '', /retry-after/);
  const unknown = await fetch(`${service.url}/api/nothing`, { headers: { origin: ORIGIN } });
  assert.equal(unknown.status, 404);
  assert.equal(unknown.headers.get('access-control-allow-origin'), ORIGIN, 'a page may read that a path is unknown');
  assert.equal((await ask('https://other.example')).headers.get('access-control-allow-origin'), null);
  assert.equal((await preflight('https://other.example')).headers.get('access-control-allow-origin'), null);
});

test('a preflight allows each method that an operation has', async () => {
  const { paths } = service.app.server.swagger() as { paths: Record<string, object> };
  const methods = new Set(Object.values(paths).flatMap((operations) => Object.keys(operations)));
  const allowed = (await preflight(ORIGIN)).headers.get('access-control-allow-methods')?.toLowerCase().split(/, */);
  assert.deepEqual(
    [...methods].filter((method) => !allowed?.includes(method)),
    [],
  );
});

test('a page may read that there is nothing at a URL, also one that cannot be decoded or is too long', async () => {
  for (const path of ['/nothing', '/%zz', '/api/agents/%', `/api/agents/${'x'.repeat(5_000)}`]) {
    const preflighted = await fetch(`${service.url}${path}`, {
      method: 'OPTIONS',
      headers: { origin: ORIGIN, 'access-control-request-method': 'GET' },
    });
    assert.equal(preflighted.status, 204, path);
    const answer = await fetch(`${service.url}${path}`, { headers: { origin: ORIGIN } });
    const { code } = (await answer.json()) as { code: string };
    assert.deepEqual([answer.status, code], [404, 'route_not_found'], path);
    for (const { headers } of [preflighted, answer])
      assert.equal(headers.get('access-control-allow-origin'), ORIGIN, path);
  }
});

test('without CORS_ORIGINS pages of other origins may read nothing', async () => {
  const closed = await startService();
  const answer = await fetch(`${closed.url}/healthz`, { headers: { origin: ORIGIN } });
  assert.equal(answer.headers.get('access-control-allow-origin'), null);
});

test('a stream token opens only the stream of its call, without a header', async () => {
  const { call_id } = await answeredCall(asKey);
  const other = await answeredCall(asKey);
  const made = await asKey.request('POST', `/api/calls/${call_id}/events/token`, { user: USER });
  assert.equal(made.status, 201);
  const { token, events_url } = made.body;

  const init = { headers: { origin: ORIGIN }, signal: AbortSignal.timeout(30_000) };
  const stream = await fetch(`${service.url}${events_url}`, init);
  assert.equal(stream.status, 200);
  assert.equal(stream.headers.get('access-control-allow-origin'), ORIGIN);
  const { value } = (await stream.body?.pipeThrough(new TextDecoderStream()).getReader().read()) ?? {};
  assert.match(value ?? '', /^retry: /);
  await stream.body?.cancel().catch(() => {});

  const status = async (path: string, options = {}) => (await service.request('GET', path, options)).status;
  assert.equal(await status(`/api/calls/${other.call_id}/events?token=${token}`), 401, 'another call');
  assert.equal(await status(`/api/calls/${call_id}/status?token=${token}`), 401, 'another operation, in the query');
  assert.equal(await status(`/api/calls/${call_id}/status`, bearer(token)), 401, 'another operation, in the header');
  assert.equal(await status(`/api/calls/${call_id}/events?token=${token}x`), 401, 'a token that is nobody’s');
  assert.equal(await status(`/api/calls/${call_id}/events?token=${key}`), 401, 'a key has no place in a URL');

  await sql`update stream_tokens set expires_at = now() - interval '1 second'`.execute(service.database.db);
  assert.equal(await status(`/api/calls/${call_id}/events?token=${token}`), 401, 'a token that has expired');
  await service.app.reconcile();
  const { rows } = await sql`select 1 from stream_tokens`.execute(service.database.db);
  assert.equal(rows.length, 0, 'what has expired is forgotten');
});

test('a stream token is valid only as long as the key that requested it', async () => {
  const { call_id } = await answeredCall(asKey);
  const keys = keysOf(service.database);
  const made = await keys.create({ name: 'stolen', role: 'user', user_id: USER });
  const ask = (token: string) => service.request('POST', `/api/calls/${call_id}/events/token`, bearer(token));
  const [stolen, other] = [(await ask(made.key)).body, (await ask(key)).body];
  const follow = async (events_url: string) => {
    const { status, body } = await fetch(`${service.url}${events_url}`);
    await body?.cancel();
    return status;
  };
  assert.deepEqual([await follow(stolen.events_url), await follow(other.events_url)], [200, 200]);
  await keys.revoke(made.id);
  assert.deepEqual([await follow(stolen.events_url), await follow(other.events_url)], [401, 200]);
});

test('a stream ends when its stream token expires', async () => {
  const { call_id } = await answeredCall(asKey);
  const { events_url } = (await asKey.request('POST', `/api/calls/${call_id}/events/token`)).body;
  await sql`update stream_tokens set expires_at = now() + interval '3 seconds'`.execute(service.database.db);
  const begun = performance.now();
  const { status, body } = await fetch(`${service.url}${events_url}`, { signal: AbortSignal.timeout(30_000) });
  assert.equal(status, 200);
  for await (const _events of body ?? []);
  // Sooner than the key behind it would be asked for again.
  assert.ok(performance.now() - begun < 12_000);
});

test('a user gets tokens for its own calls only', async () => {
  const { call_id } = await answeredCall(asKey);
  const refused = await asKey.request('POST', `/api/calls/${call_id}/events/token`, { user: 'somebody-else' });
  assert.equal(refused.status, 404);
});
