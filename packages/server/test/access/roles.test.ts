import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { openTestDatabase } from '@switchboard/testkit/database.ts';
import { keysOf } from '@switchboard/testkit/keys.ts';
import { startService } from '@switchboard/testkit/service.ts';
import { type Principal, SCOPES } from '../../src/lib/principal.ts';
import { assertRefused, problemsOf } from '../support/answers.ts';

const database = await openTestDatabase();
after(() => database.close());
const service = await startService({ database, env: { AUTH_MODE: 'required' } });
const keys = keysOf(database);
const HOUR_MS = 3_600_000;

const as = (key: string) => (method: string, path: string, body?: unknown, user?: string) =>
  service.request(method, path, {
    ...(body !== undefined && { body }),
    ...(user && { user }),
    headers: { authorization: `Bearer ${key}` },
  });
async function keyOf(input: { role: Principal['role']; user_id?: string; scopes?: 'keys'[]; expires_at?: string }) {
  return (await keys.create({ name: input.role, ...input })).key;
}
const admin = as(await keyOf({ role: 'admin' }));
const backend = as(await keyOf({ role: 'service' }));

test('a refusal names the roles that may', async () => {
  const viewer = as(await keyOf({ role: 'viewer' }));
  for (const [path, detail] of [
    ['/api/agents/', 'This operation needs the role user, service or admin.'],
    ['/api/sessions/x/transfer', 'This operation needs the role supervisor, user, worker, service or admin.'],
    ['/api/keys', 'This operation needs the role service or admin.'],
  ] as const) {
    const refused = await viewer('POST', path, {});
    assertRefused(refused, 403, 'role_not_allowed');
    assert.equal(refused.body.detail, detail);
  }
  const bound = as(await keyOf({ role: 'viewer', user_id: 'ada' }));
  const { detail } = (await bound('GET', '/api/users')).body;
  assert.equal(detail, 'This operation needs the role viewer, supervisor, service or admin, not bound to a user.');
});

test('a viewer covers all users or is bound to one, and is never taken for another', async () => {
  for (const user_id of ['ada', 'bob']) await backend('POST', '/api/agents/', { name: user_id, user_id });
  const [all, one] = [as(await keyOf({ role: 'viewer' })), as(await keyOf({ role: 'viewer', user_id: 'ada' }))];
  const names = async (asked: ReturnType<typeof as>, user?: string) =>
    (await asked('GET', '/api/agents/', undefined, user)).body.map(({ name }: { name: string }) => name);
  assert.deepEqual(await names(all, 'bob'), ['bob']);
  assert.deepEqual(await names(one), ['ada']);
  assertRefused(await one('GET', '/api/agents/', undefined, 'bob'), 403, 'wrong_user');
  const report = '/api/costs/report?group_by=user';
  assert.equal((await all('GET', report)).status, 200);
  assertRefused(await one('GET', report), 403, 'role_not_allowed');
  for (const wrong of [{ role: 'user' }, { role: 'service', user_id: 'ada' }, { role: 'admin', user_id: 'ada' }]) {
    const [problem] = problemsOf(await admin('POST', '/api/keys', { name: 'x', ...wrong }));
    assert.match(problem ?? '', /^body\.user_id /);
  }
});

test('a key with scopes reaches these parts of the API alone, in the console too', async () => {
  const scopes = ['calls', 'stats'];
  const created = await admin('POST', '/api/keys', { name: 'x', role: 'service', scopes });
  assert.deepEqual([created.status, created.body.scopes], [201, scopes]);
  const limited = as(created.body.key);
  assert.equal((await limited('GET', '/api/calls/')).status, 200);
  const refused = await limited('GET', '/api/keys');
  assertRefused(refused, 403, 'scope_not_allowed');
  assert.equal(refused.body.detail, 'This operation needs the scope keys; the key is limited to calls and stats.');
  const signedIn = await service.request('POST', '/api/console/session', { body: { api_key: created.body.key } });
  const { operations } = signedIn.body;
  assert.ok(operations.includes('listCalls') && operations.includes('signOut'), operations.join());
  assert.ok(!operations.includes('listApiKeys') && !operations.includes('createAgent'), operations.join());
  const cookie = signedIn.headers.get('set-cookie')?.split(';')[0] ?? '';
  assertRefused(await service.request('GET', '/api/keys', { headers: { cookie } }), 403, 'scope_not_allowed');
  const wrong = await admin('POST', '/api/keys', { name: 'x', role: 'service', scopes: ['everything'] });
  assert.deepEqual(problemsOf(wrong), ['body.scopes.0 enum']);
});

test('a key makes no key that does more or lives longer than itself', async () => {
  const expires_at = new Date(Date.now() + HOUR_MS).toISOString();
  const maker = as(await keyOf({ role: 'service', expires_at, scopes: ['keys'] }));
  const make = (more: object) => maker('POST', '/api/keys', { name: 'x', role: 'service', ...more });
  for (const more of [{}, { expires_at: null, scopes: null }]) {
    const { body } = await make(more);
    assert.deepEqual([body.expires_at, body.scopes], [expires_at, ['keys']]);
  }
  const later = await make({ expires_at: new Date(Date.now() + 2 * HOUR_MS).toISOString() });
  assert.deepEqual(problemsOf(later), ['body.expires_at less_than_equal']);
  assertRefused(await make({ scopes: ['keys', 'calls'] }), 403, 'scope_not_allowed');
  assertRefused(await make({ role: 'admin' }), 403, 'role_not_allowed');
  // The sign-in ends after twelve hours; its key, which sets the limit, does not.
  const key = await keyOf({ role: 'admin' });
  const signedIn = await service.request('POST', '/api/console/session', { body: { api_key: key } });
  const headers = { cookie: signedIn.headers.get('set-cookie')?.split(';')[0] ?? '', origin: service.url };
  const made = await service.request('POST', '/api/keys', { body: { name: 'x', role: 'admin' }, headers });
  assert.deepEqual([made.status, made.body.expires_at], [201, null]);
  assertRefused(await backend('POST', `/api/keys/${made.body.id}/revoke`), 403, 'role_not_allowed');
  assert.equal((await admin('POST', `/api/keys/${made.body.id}/revoke`)).status, 200);
});

test('in open mode, in which anybody could, no key is created', async () => {
  const open = await startService({ database });
  const refused = await open.request('POST', '/api/keys', { body: { name: 'x', role: 'service' } });
  assertRefused(refused, 409, 'keys_not_needed');
  await open.close();
});

test('every tag of an operation is a scope', () => {
  const tags = new Set(service.app.server.operations.map(({ tag }) => tag));
  assert.deepEqual([...tags].sort(), [...SCOPES, 'console'].sort());
});
