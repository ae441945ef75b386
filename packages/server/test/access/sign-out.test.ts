import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { answeredCall, USER } from '@switchboard/testkit/calls.ts';
import { openTestDatabase } from '@switchboard/testkit/database.ts';
import { listen } from '@switchboard/testkit/event-stream.ts';
import { keysOf } from '@switchboard/testkit/keys.ts';
import { type Service, startService } from '@switchboard/testkit/service.ts';
import { within } from '@switchboard/testkit/within.ts';
import { assertRefused } from '../support/answers.ts';

const env = { AUTH_MODE: 'required' };
const database = await openTestDatabase();
after(() => database.close());
const [service, other] = [await startService({ database, env }), await startService({ database, env })];
const open = await startService({ database });
const keys = keysOf(database);
const SESSION = '/api/console/session';
const root = { authorization: `Bearer ${(await keys.create({ name: 'root', role: 'service' })).key}` };
/**
 * Streams of another replica end within five seconds (docs/roles.md), counted in this process: what holds it up holds
 * up the timers of both.
 */
async function endsElsewhere(ended: Promise<unknown>): Promise<void> {
  const seconds = async () => {
    for (let second = 0; second < 5; second++) await sleep(1_000);
    return 'late';
  };
  assert.notEqual(await Promise.race([ended, seconds()]), 'late', 'the streams of another replica go on');
}

async function signIn(of: Service, api_key: string) {
  const answer = await of.request('POST', SESSION, { body: { api_key } });
  assert.equal(answer.status, 201, JSON.stringify(answer.body));
  return { cookie: answer.headers.get('set-cookie')?.split(';')[0] ?? '', origin: of.url };
}
const userKey = () => keys.create({ name: 'user', role: 'user', user_id: USER });
const asked = (of: Service, headers: Record<string, string>) => of.request('GET', SESSION, { headers });

/** A stream over all calls of a user, by cookie or key, and one by a stream token that these have asked for. */
async function follow(of: Service, headers: Record<string, string>) {
  const { body } = await service.request('POST', '/api/events/token', { headers });
  const streams = [await listen(`${of.url}/api/events`, headers), await listen(`${of.url}${body.events_url}`)];
  for (const stream of streams) assert.equal(stream.status, 200);
  return { ended: Promise.all(streams.map(({ ended }) => ended)) };
}

test('after a sign-out the cookie is refused at once, and its streams and stream tokens end', async () => {
  const headers = await signIn(service, (await userKey()).key);
  assert.equal((await asked(service, headers)).status, 200);
  const here = await follow(service, headers);
  const there = await follow(other, headers);
  assert.equal((await service.request('DELETE', SESSION, { headers })).status, 204);
  assertRefused(await asked(service, headers), 401, 'unauthenticated');
  await within(here.ended, 'the end of the streams in the same process', 1_000);
  await endsElsewhere(there.ended);
  assertRefused(await asked(other, headers), 401, 'unauthenticated');
});

test('a revoked key is refused at once, with its sign-ins, its streams and their tokens', async () => {
  const { id, key } = await userKey();
  const [bearer, cookie] = [{ authorization: `Bearer ${key}`, origin: service.url }, await signIn(service, key)];
  for (const headers of [bearer, cookie]) assert.equal((await asked(service, headers)).status, 200);
  const streams = [await follow(service, bearer), await follow(service, cookie)];
  const elsewhere = await follow(other, bearer);
  assert.equal((await service.request('POST', `/api/keys/${id}/revoke`, { headers: root })).status, 200);
  for (const headers of [bearer, cookie]) assertRefused(await asked(service, headers), 401, 'unauthenticated');
  await within(Promise.all(streams.map(({ ended }) => ended)), 'the end of the streams', 1_000);
  await endsElsewhere(elsewhere.ended);
});

test('signing out everywhere ends every sign-in with the key, and no other', async () => {
  const { key } = await userKey();
  const [one, two, kept] = [
    await signIn(service, key),
    await signIn(other, key),
    await signIn(service, (await userKey()).key),
  ];
  const { call_id } = await answeredCall(open);
  const stream = await listen(`${service.url}/api/calls/${call_id}/events`, one);
  const out = await service.request('DELETE', '/api/console/sessions', { headers: one });
  assert.deepEqual([out.status, out.body], [200, { sessions: 2 }]);
  assert.match(out.headers.get('set-cookie') ?? '', /^switchboard_session=; Max-Age=0;/);
  for (const headers of [one, two]) assertRefused(await asked(service, headers), 401, 'unauthenticated');
  await within(stream.ended, 'the end of the stream', 1_000);
  assert.equal((await asked(service, kept)).status, 200);
  assert.equal((await asked(service, { authorization: `Bearer ${key}` })).status, 200, 'the key stays valid');
  const { items } = (await service.request('GET', '/api/audit', { headers: root })).body;
  assert.ok(items.some(({ action }: { action: string }) => action === 'console.signed_out_everywhere'));
  const somebodyElse = await service.request('DELETE', '/api/console/sessions?subject=x', { headers: kept });
  assertRefused(somebodyElse, 403, 'role_not_allowed');
});
