import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { openTestDatabase } from '@switchboard/testkit/database.ts';
import { eventually } from '@switchboard/testkit/eventually.ts';
import { keysOf } from '@switchboard/testkit/keys.ts';
import { startOpenIdIssuer } from '@switchboard/testkit/openid-issuer.ts';
import { freePort } from '@switchboard/testkit/ports.ts';
import { startService } from '@switchboard/testkit/service.ts';
import { assertRefused } from '../support/answers.ts';

const issuer = await startOpenIdIssuer();
const database = await openTestDatabase();
after(async () => {
  await database.close();
  await issuer.close();
});
const PORT = String(await freePort());
const own = `http://127.0.0.1:${PORT}`;
const openid = {
  OPENID_ISSUER: issuer.issuer,
  OPENID_CLIENT_ID: issuer.clientId,
  OPENID_CLIENT_SECRET: issuer.clientSecret,
  PUBLIC_URL: own,
};
const service = await startService({ database, env: { AUTH_MODE: 'required', PORT, ...openid } });
const SESSION = '/api/console/session';
const LONG_AGO = Math.floor(Date.now() / 1000) - 3600;

const visit = (url: string, cookie = '') =>
  fetch(new URL(url, own), { redirect: 'manual', headers: { ...(cookie && { cookie }) } });
const cookieIn = (response: Response, name: string) =>
  response.headers
    .getSetCookie()
    .map((set) => set.split(';')[0] ?? '')
    .find((set) => set.startsWith(`${name}=`)) ?? '';
const locationOf = (response: Response) => response.headers.get('location') ?? '';

/** Begins to sign in, as a browser does: where it is sent, and its cookie. */
async function begin(returnTo = '') {
  const response = await visit(`/console/openid?return_to=${encodeURIComponent(returnTo)}`);
  assert.equal(response.status, 302);
  return { location: locationOf(response), cookie: cookieIn(response, 'switchboard_sign_in'), response };
}

/** The sign-in of a user: the answer to the browser that comes back. */
async function signIn(sub = 'ada', returnTo = '') {
  const { location, cookie } = await begin(returnTo);
  return visit(issuer.signIn(location, sub), cookie);
}

/** Sent back to the sign-in page with this problem, and not signed in. */
function assertFailed(response: Response, problem: string): void {
  assert.deepEqual([response.status, locationOf(response)], [302, `/console?sign_in=${problem}`]);
  assert.equal(cookieIn(response, 'switchboard_session'), '');
}

test('a user signs in at the provider, and has the session of a user', async () => {
  const { location, response: begun } = await begin();
  const asked = new URL(location).searchParams;
  assert.deepEqual(
    [asked.get('response_type'), asked.get('scope'), asked.get('code_challenge_method'), asked.get('redirect_uri')],
    ['code', 'openid', 'S256', `${own}/console/openid/callback`],
  );
  const set = begun.headers.getSetCookie().join();
  assert.match(set, /^switchboard_sign_in=\S+; Max-Age=600; Path=\/console\/openid; HttpOnly; SameSite=Lax$/);
  const response = await signIn('ada', '/console/calls?q=late');
  assert.deepEqual([response.status, locationOf(response)], [302, '/console/calls?q=late']);
  assert.equal(response.headers.get('cache-control'), 'no-store');
  const sets = response.headers.getSetCookie();
  assert.ok(
    sets.some((one) =>
      /^switchboard_session=sbc_[\w-]{43}; Max-Age=43200; Path=\/; HttpOnly; SameSite=Strict$/.test(one),
    ),
  );
  assert.ok(sets.some((one) => one.startsWith('switchboard_sign_in=; Max-Age=0')));
  const headers = { cookie: cookieIn(response, 'switchboard_session') };
  const { body } = await service.request('GET', SESSION, { headers });
  assert.deepEqual([body.role, body.user_id], ['user', 'ada']);
  assertRefused(await service.request('GET', '/api/keys', { headers }), 403, 'role_not_allowed');
  assertRefused(await service.request('GET', '/api/calls/', { headers, user: 'bob' }), 403, 'wrong_user');
  assert.equal((await service.request('DELETE', SESSION, { headers: { ...headers, origin: own } })).status, 204);
  await eventually(
    () => service.request('GET', SESSION, { headers }),
    ({ status }) => status === 401,
  );
  const { key } = await keysOf(database).create({ name: 'root', role: 'service' });
  const audit = await service.request('GET', '/api/audit', { headers: { authorization: `Bearer ${key}` } });
  const entry = audit.body.items.find(({ action }: { action: string }) => action === 'console.signed_in');
  assert.deepEqual([entry.actor, entry.user_id], ['openid', 'ada']);
});

test('the audit log names a user by the address that the provider states', async () => {
  const { key } = await keysOf(database).create({ name: 'root', role: 'service' });
  const email = 'ada@example.com';
  issuer.depart({ claims: { email } });
  const headers = { cookie: cookieIn(await signIn('ada'), 'switchboard_session'), origin: own };
  issuer.depart({});
  const body = { user_id: 'ada', name: 'Front desk' };
  assert.equal((await service.request('POST', '/api/agents/', { headers, body })).status, 201);
  const { body: audit } = await service.request('GET', '/api/audit?limit=2', {
    headers: { authorization: `Bearer ${key}` },
  });
  assert.deepEqual(
    audit.items.map((entry: Record<string, unknown>) => [entry.action, entry.actor, entry.actor_name]),
    [
      ['agent.created', 'openid', email],
      ['console.signed_in', 'openid', email],
    ],
  );
});

const SIGN_OUT = '/console/openid/sign-out';

test('signing out leads to the provider, with the ID token of the sign-in, and back to the console', async () => {
  const response = await signIn('ada');
  const cookie = cookieIn(response, 'switchboard_id_token');
  const set = response.headers.getSetCookie().find((one) => one.startsWith(cookie)) ?? '';
  assert.match(set, /; Max-Age=43200; Path=\/console\/openid; HttpOnly; SameSite=Strict$/);
  const out = await visit(SIGN_OUT, cookie);
  const location = new URL(locationOf(out));
  assert.deepEqual([out.status, `${location.origin}${location.pathname}`], [302, `${issuer.issuer}/sign-out`]);
  assert.deepEqual(Object.fromEntries(location.searchParams), {
    id_token_hint: cookie.split('=')[1],
    client_id: issuer.clientId,
    post_logout_redirect_uri: `${own}/console`,
  });
  assert.match(out.headers.getSetCookie().join(), /^switchboard_id_token=; Max-Age=0; Path=\/console\/openid;/);
});

test('signing out leads to the provider without an ID token that was too long for a cookie', async () => {
  issuer.depart({ claims: { groups: 'g'.repeat(4_000) } });
  const cookie = cookieIn(await signIn('ada'), 'switchboard_id_token');
  issuer.depart({});
  assert.ok(cookie.length < 100, cookie);
  const out = await visit(SIGN_OUT, cookie);
  assert.deepEqual(Object.fromEntries(new URL(locationOf(out)).searchParams), {
    client_id: issuer.clientId,
    post_logout_redirect_uri: `${own}/console`,
  });
  assert.match(out.headers.getSetCookie().join(), /^switchboard_id_token=; Max-Age=0;/);
});

test('who has not signed in there, or at a provider without such an address, stays in the console', async () => {
  const without = await visit(SIGN_OUT);
  // Nor does another site's link take the cookie away, with which it does not come.
  assert.deepEqual([locationOf(without), without.headers.getSetCookie()], ['/console', []]);
  const port = String(await freePort());
  issuer.depart({ hasNoSignOut: true });
  const other = await startService({ database, env: { AUTH_MODE: 'required', PORT: port, ...openid } });
  const out = await fetch(`${other.url}${SIGN_OUT}`, {
    redirect: 'manual',
    headers: { cookie: 'switchboard_id_token=x.y.z' },
  });
  assert.equal(locationOf(out), '/console');
  issuer.depart({});
  await other.close();
});

test('a state that this browser has not begun with is refused, with a cookie or without', async () => {
  const [one, other] = [await begin(), await begin()];
  const back = issuer.signIn(one.location, 'mallory');
  assertFailed(await visit(back), 'state');
  assertFailed(await visit(back, other.cookie), 'state');
  assertFailed(await visit(back, `${one.cookie}x`.replace('.', 'x.')), 'state');
  assertFailed(await visit(back.replace(/state=[^&]+/, 'state='), one.cookie), 'state');
  assertFailed(await visit('/console/openid/callback', one.cookie), 'state');
  // Not used up by any of them.
  assert.equal(locationOf(await visit(back, one.cookie)), '/console');
});

test('a code is good once, and in the browser that has begun alone', async () => {
  const { location, cookie } = await begin();
  const back = issuer.signIn(location, 'ada');
  assert.equal(locationOf(await visit(back, cookie)), '/console');
  assertFailed(await visit(back, cookie), 'refused');
  // Another's code under one's own state: its verifier is missing.
  const victim = new URL(issuer.signIn((await begin()).location, 'victim'));
  const mine = await begin();
  const mixed = new URL(issuer.signIn(mine.location, 'mallory'));
  mixed.searchParams.set('code', victim.searchParams.get('code') ?? '');
  assertFailed(await visit(mixed.href, mine.cookie), 'refused');
});

test('an ID token that is not for this sign-in, not of this issuer, too old or forged is refused', async () => {
  for (const departure of [
    { claims: { nonce: 'another' } },
    { claims: { nonce: undefined } },
    { claims: { iss: 'https://login.example.com' } },
    { claims: { aud: 'another-client' } },
    { claims: { aud: [issuer.clientId, 'another-client'] } },
    { claims: { azp: 'another-client' } },
    { claims: { exp: LONG_AGO } },
    { claims: { exp: undefined } },
    { claims: { iat: LONG_AGO } },
    { claims: { sub: undefined } },
    { claims: { sub: '' } },
    { claims: { sub: 'x'.repeat(256) } },
    { claims: { sub: 'nul\u0000' } },
    { isForged: true },
    { tokenStatus: 400 },
  ]) {
    issuer.depart(departure);
    assertFailed(await signIn(), 'refused');
  }
  issuer.depart({});
  assert.equal(locationOf(await signIn()), '/console');
});

test('a response of another issuer, a refusal, and an unreachable provider are distinguished', async () => {
  const { location, cookie } = await begin();
  const back = new URL(issuer.signIn(location, 'ada'));
  back.searchParams.set('iss', 'https://login.example.com');
  assertFailed(await visit(back.href, cookie), 'refused');
  back.searchParams.delete('iss');
  back.searchParams.set('error', 'access_denied');
  assertFailed(await visit(back.href, cookie), 'denied');
  back.searchParams.set('error', 'server_error');
  assertFailed(await visit(back.href, cookie), 'refused');
  issuer.depart({ tokenStatus: 503 });
  assertFailed(await signIn(), 'unavailable');
  issuer.depart({ discoveredIssuer: 'https://login.example.com' });
  const away = await startService({
    database,
    env: { AUTH_MODE: 'required', ...openid, OPENID_ISSUER: 'http://127.0.0.1:1' },
  });
  const other = await startService({ database, env: { AUTH_MODE: 'required', ...openid } });
  for (const { url } of [away, other]) assertFailed(await visit(`${url}/console/openid?moved=1`), 'unavailable');
  issuer.depart({});
  // A failed discovery is made again.
  assert.match(
    locationOf(await visit(`${other.url}/console/openid?moved=1`)),
    new RegExp(`^${issuer.issuer}/authorize`),
  );
});

test('redirects only lead to pages of the console', async () => {
  for (const returnTo of [
    'https://evil.example',
    '//evil.example/console',
    '/\\evil.example/console',
    '\\\\evil.example',
    'console',
    'javascript:alert(1)',
    '/consolemania',
    '/console/../api/keys',
    '/api/keys',
    '/console@evil.example',
    `${own}@evil.example/console`,
    'http://127.0.0.1:1/console',
    '/console/openid?return_to=/console',
    '\t//evil.example',
    `/console/${'x'.repeat(2000)}`,
  ])
    assert.equal(locationOf(await signIn('ada', returnTo)), '/console', returnTo);
  for (const returnTo of ['/console', '/console/calls?q=a%20b', '/console/settings?tab=doctor'])
    assert.equal(locationOf(await signIn('ada', returnTo)), returnTo);
  // A cookie that somebody else has made.
  const { location, cookie } = await begin();
  const forged = `${cookie.split('.')[0]}.${Buffer.from('https://evil.example/').toString('base64url')}`;
  assert.equal(locationOf(await visit(issuer.signIn(location, 'ada'), forged)), '/console');
});

test('under another name than PUBLIC_URL the browser is sent there first, once', async () => {
  const elsewhere = own.replace('127.0.0.1', 'localhost');
  const moved = locationOf(await visit(`${elsewhere}/console/openid?return_to=/console/calls`));
  assert.equal(moved, `${own}/console/openid?return_to=%2Fconsole%2Fcalls&moved=1`);
  assert.match(locationOf(await visit(`${elsewhere}/console/openid?moved=1`)), /\/authorize\?/);
});

test('the sign-in options need no key; without a provider, and in open mode, there are no sign-in addresses', async () => {
  const methods = async (url: string) => (await fetch(`${url}/api/console/sign-in`)).json();
  assert.deepEqual(await methods(own), { auth_mode: 'required', is_openid_configured: true });
  const open = await startService({ database, env: openid });
  const keysOnly = await startService({ database, env: { AUTH_MODE: 'required' } });
  assert.deepEqual(await methods(open.url), { auth_mode: 'open', is_openid_configured: false });
  assert.deepEqual(await methods(keysOnly.url), { auth_mode: 'required', is_openid_configured: false });
  for (const { url } of [open, keysOnly])
    assert.notEqual((await visit(`${url}/console/openid/callback?code=x&state=x`)).status, 302);
});

test('an erased user’s session ends', async () => {
  const cookie = cookieIn(await signIn('leaver'), 'switchboard_session');
  const { key } = await keysOf(database).create({ name: 'root', role: 'service' });
  const erased = await service.request('DELETE', '/api/users/leaver', { headers: { authorization: `Bearer ${key}` } });
  assert.equal(erased.status, 200);
  const rows = await database.db
    .selectFrom('console_sessions')
    .select('user_id')
    .where('user_id', '=', 'leaver')
    .execute();
  assert.deepEqual(rows, []);
  assert.notEqual(cookie, '');
});
