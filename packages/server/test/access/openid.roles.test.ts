import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { openTestDatabase } from '@switchboard/testkit/database.ts';
import { keysOf } from '@switchboard/testkit/keys.ts';
import { startOpenIdIssuer } from '@switchboard/testkit/openid-issuer.ts';
import { freePort } from '@switchboard/testkit/ports.ts';
import { startService } from '@switchboard/testkit/service.ts';
import { ConfigError, loadSettings } from '../../src/settings-load.ts';
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
  OPENID_SCOPE: 'openid groups',
  OPENID_ROLE_CLAIM: 'access.roles',
  OPENID_ROLES: 'admins=admin,leads=supervisor,acme leads=supervisor:acme,readers=viewer,acme=user:acme',
  PUBLIC_URL: own,
};
const service = await startService({ database, env: { AUTH_MODE: 'required', PORT, ...openid } });
const SESSION = '/api/console/session';

/** The headers of somebody who signs in with these claims. */
async function signIn(sub: string, claims: Record<string, unknown>) {
  issuer.depart({ claims });
  const begun = await fetch(`${own}/console/openid`, { redirect: 'manual' });
  const location = begun.headers.get('location') ?? '';
  assert.equal(new URL(location).searchParams.get('scope'), 'openid groups');
  const [kept = ''] = begun.headers.getSetCookie().map((set) => set.split(';')[0] ?? '');
  const back = await fetch(issuer.signIn(location, sub), { redirect: 'manual', headers: { cookie: kept } });
  const cookies = back.headers.getSetCookie().map((set) => set.split(';')[0] ?? '');
  return { cookie: cookies.find((one) => one.startsWith('switchboard_session=')) ?? '', origin: own };
}

const get = (path: string, headers: Record<string, string>, user?: string) =>
  service.request('GET', path, { headers, ...(user && { user }) });

test('the first of the roles whose group somebody is in counts, for all users or for one', async () => {
  for (const [roles, role, user_id] of [
    [['leads', 'admins'], 'admin', null],
    ['leads', 'supervisor', null],
    [['readers', 'acme leads'], 'supervisor', 'acme'],
    [['acme'], 'user', 'acme'],
    [['others', 7, null], 'user', 'ada'],
    [undefined, 'user', 'ada'],
  ] as const) {
    const { body } = await get(SESSION, await signIn('ada', { access: { roles } }));
    assert.deepEqual([body.role, body.user_id], [role, user_id], JSON.stringify(roles));
  }
  const { body } = await get(SESSION, await signIn('ada', { 'access.roles': 'readers' }));
  assert.equal(body.role, 'viewer', 'a claim whose name has a dot');
});

test('an admin of the provider manages keys, which outlive the sign-in; a supervisor acts for the users named', async () => {
  const admin = await signIn('grace', { access: { roles: ['admins'] } });
  const created = await service.request('POST', '/api/keys', { body: { name: 'x', role: 'admin' }, headers: admin });
  assert.deepEqual([created.status, created.body.expires_at], [201, null]);
  const lead = await signIn('linus', { access: { roles: ['leads'] } });
  assert.equal((await get('/api/agents/', lead, 'anybody')).status, 200);
  assertRefused(await get('/api/keys', lead), 403, 'role_not_allowed');
  const { items } = (await get('/api/audit', admin)).body;
  const by = items.map(
    ({ action, actor, actor_user_id }: Record<string, string>) => `${action} ${actor} ${actor_user_id}`,
  );
  assert.ok(by.includes('key.created openid grace'), by.join());
});

test('an admin signs out somebody who has left, everywhere and at once', async () => {
  const admin = await signIn('grace', { access: { roles: ['admins'] } });
  const left = [await signIn('eve', { access: { roles: ['leads'] } }), await signIn('eve', {})];
  for (const headers of left) assert.equal((await get(SESSION, headers)).status, 200);
  const out = await service.request('DELETE', '/api/console/sessions?subject=eve', { headers: admin });
  assert.deepEqual([out.status, out.body], [200, { sessions: 2 }]);
  for (const headers of left) assertRefused(await get(SESSION, headers), 401, 'unauthenticated');
  assert.equal((await get(SESSION, admin)).status, 200);
  const again = await signIn('eve', {});
  assert.deepEqual((await service.request('DELETE', '/api/console/sessions', { headers: again })).body, {
    sessions: 1,
  });
});

test('a key that is limited to other parts of the API signs out nobody else, in the console neither', async () => {
  const person = await signIn('mallory', { access: { roles: ['leads'] } });
  const keyOf = async (scopes: 'stats'[] | 'keys'[] | null) =>
    (await keysOf(database).create({ name: 'x', role: 'service', scopes })).key;
  const signOut = (headers: Record<string, string>) =>
    service.request('DELETE', '/api/console/sessions?subject=mallory', { headers });
  const limited = await keyOf(['stats']);
  const { headers } = await service.request('POST', SESSION, { body: { api_key: limited } });
  const cookie = { cookie: headers.get('set-cookie')?.split(';')[0] ?? '', origin: own };
  for (const by of [{ authorization: `Bearer ${limited}` }, cookie])
    assertRefused(await signOut(by), 403, 'scope_not_allowed');
  assert.equal((await get(SESSION, person)).status, 200);
  const itself = await service.request('DELETE', '/api/console/sessions', { headers: cookie });
  assert.deepEqual([itself.status, itself.body], [200, { sessions: 1 }]);
  for (const [scopes, sessions] of [
    [['keys'], 1],
    [null, 0],
  ] as const) {
    const out = await signOut({ authorization: `Bearer ${await keyOf(scopes && [...scopes])}` });
    assert.deepEqual([out.status, out.body], [200, { sessions }]);
  }
  assertRefused(await get(SESSION, person), 401, 'unauthenticated');
});

test('an erasure ends the sign-ins of the person, whatever user they act for', async () => {
  const { key } = await keysOf(database).create({ name: 'root', role: 'service' });
  const headers = await signIn('ivan', { access: { roles: ['leads'] } });
  assert.equal((await get(SESSION, headers)).status, 200);
  const root = { authorization: `Bearer ${key}` };
  assert.equal((await service.request('DELETE', '/api/users/ivan', { headers: root })).status, 200);
  assertRefused(await get(SESSION, headers), 401, 'unauthenticated');
});

test('roles that cannot be meant are refused at start', () => {
  for (const OPENID_ROLES of ['admins', 'admins=root', 'a=admin:x', 'a=worker', 'a=user:', '=admin', 'a=admin,'])
    assert.throws(() => loadSettings({ ...openid, OPENID_ROLES }), ConfigError, OPENID_ROLES);
  assert.throws(() => loadSettings({ OPENID_ROLES: 'a=admin' }), /OPENID_ISSUER: must be set when OPENID_ROLES is/);
});
