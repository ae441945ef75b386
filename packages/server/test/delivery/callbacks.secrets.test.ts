import assert from 'node:assert/strict';
import { test } from 'node:test';
import { placeCall, USER } from '@switchboard/testkit/calls.ts';
import { createTestClock } from '@switchboard/testkit/clock.ts';
import { openTestDatabase } from '@switchboard/testkit/database.ts';
import { eventually } from '@switchboard/testkit/eventually.ts';
import { SECRETS_KEY } from '@switchboard/testkit/keys.ts';
import { startReceiver } from '@switchboard/testkit/receiver.ts';
import { type Service, startService } from '@switchboard/testkit/service.ts';
import { sql } from 'kysely';
import { Webhook } from 'standardwebhooks';
import { assertRefused } from '../support/answers.ts';
import { callbackTo } from '../support/callbacks.ts';

const receiver = await startReceiver();
const secretOf = async (service: Pick<Service, 'request'>, user = USER) =>
  (await service.request('GET', '/api/callbacks/secret', { user })).body.secret as string;

/** Has a callback sent, and tells which of the secrets its signatures fit. */
async function signedWith(service: Pick<Service, 'request'>, path: string, secrets: string[]): Promise<boolean[]> {
  await placeCall(service, '+15005550001', { callback_url: `${receiver.url}${path}` });
  const [delivered] = await eventually(
    async () => receiver.at(path),
    (all) => all.length > 0,
  );
  return secrets.map((secret) => {
    try {
      return new Webhook(secret).verify(delivered?.body ?? '', delivered?.headers ?? {}) !== undefined;
    } catch {
      return false;
    }
  });
}

test('the secret belongs to the user and does not change between requests', async () => {
  const service = await startService();
  assert.match(await secretOf(service), /^whsec_/);
  assert.equal(await secretOf(service), await secretOf(service));
  assert.notEqual(await secretOf(service), await secretOf(service, 'somebody-else'));
  for (const [method, path] of [
    ['GET', '/api/callbacks/secret'],
    ['POST', '/api/callbacks/secret/rotate'],
  ] as const)
    assert.equal((await service.request(method, path, method === 'POST' ? { body: {} } : {})).status, 401);
});

test('after a rotation both secrets sign until the overlap ends, then only the new one', async () => {
  const clock = createTestClock();
  const service = await startService({ clock });
  const old = await secretOf(service);
  const rotated = await service.request('POST', '/api/callbacks/secret/rotate', {
    user: USER,
    body: { overlap_s: 600 },
  });
  assert.equal(rotated.status, 200);
  assert.notEqual(rotated.body.secret, old);
  assert.equal(new Date(rotated.body.previous_expires_at).getTime(), clock.now().getTime() + 600_000);
  const both = [rotated.body.secret, old];
  assert.deepEqual(await signedWith(service, '/during', both), [true, true]);
  clock.advance(601_000);
  assert.equal((await service.request('GET', '/api/callbacks/secret', { user: USER })).body.previous_expires_at, null);
  const after = receiver.at('/after');
  assert.deepEqual(after, []);
  await placeCall(service, '+15005550001', { callback_url: `${receiver.url}/after` });
  const [delivered] = await eventually(
    async () => receiver.at('/after'),
    (all) => all.length > 0,
  );
  assert.equal(delivered?.headers['webhook-signature']?.split(' ').length, 1);
});

test('a second rotation within the overlap does not shorten the first secret’s, and each expires at its own time', async () => {
  const clock = createTestClock();
  const service = await startService({ clock, env: { SECRETS_KEY } });
  const rotate = async (overlap_s: number) =>
    (await service.request('POST', '/api/callbacks/secret/rotate', { user: USER, body: { overlap_s } })).body;
  const first = await secretOf(service);
  const promised = (await rotate(200)).previous_expires_at;
  const second = await secretOf(service);
  const third = await rotate(60);
  assert.equal(third.previous_expires_at, promised);
  const now = await rotate(0);
  assert.equal(now.previous_expires_at, promised);
  const all = [now.secret, third.secret, second, first];
  assert.deepEqual(await signedWith(service, '/thrice', all), [true, false, true, true]);
  clock.advance(61_000);
  assert.deepEqual(await signedWith(service, '/later', all), [true, false, false, true]);
  clock.advance(140_000);
  assert.deepEqual(await signedWith(service, '/last', all), [true, false, false, false]);
});

test('at most ten earlier secrets sign at the same time; then a rotation must end the current one at once', async () => {
  const service = await startService();
  const rotate = (overlap_s: number) =>
    service.request('POST', '/api/callbacks/secret/rotate', { user: USER, body: { overlap_s } });
  for (let times = 0; times < 10; times++) assert.equal((await rotate(600)).status, 200);
  const before = await secretOf(service);
  assertRefused(await rotate(600), 409, 'secrets_overlap');
  assert.equal(await secretOf(service), before);
  assert.equal((await rotate(0)).status, 200);
});

test('a rotation during an erasure happens entirely before or after it', async () => {
  const service = await startService();
  const answers = await Promise.all(
    Array.from({ length: 40 }, (_, index) =>
      index % 4 === 0
        ? service.request('DELETE', `/api/users/${USER}`)
        : service.request('POST', '/api/callbacks/secret/rotate', { user: USER, body: { overlap_s: 0 } }),
    ),
  );
  assert.deepEqual([...new Set(answers.map(({ status }) => status))], [200]);
});

test('without an overlap the old secret ends at once', async () => {
  const service = await startService();
  const old = await secretOf(service);
  const { body } = await service.request('POST', '/api/callbacks/secret/rotate', {
    user: USER,
    body: { overlap_s: 0 },
  });
  assert.equal(body.previous_expires_at, null);
  assert.deepEqual(await signedWith(service, '/at-once', [body.secret, old]), [true, false]);
});

test('an invalid overlap is refused', async () => {
  const service = await startService();
  for (const overlap_s of [-1, 1.5, 7 * 86_400 + 1, 'soon'])
    assert.equal(
      (await service.request('POST', '/api/callbacks/secret/rotate', { user: USER, body: { overlap_s } })).status,
      422,
    );
});

test('with SECRETS_KEY no secret is readable in the database, and another key cannot open it', async () => {
  const database = await openTestDatabase();
  const rows = () => database.db.selectFrom('callback_secrets').selectAll().execute();
  const service = await startService({ database, env: { SECRETS_KEY } });
  const secret = await secretOf(service);
  const { body } = await service.request('POST', '/api/callbacks/secret/rotate', { user: USER, body: {} });
  const kept = JSON.stringify(await rows());
  for (const text of [secret, body.secret, 'whsec_']) assert.ok(!kept.includes(text));
  assert.deepEqual(await signedWith(service, '/sealed', [body.secret, secret]), [true, true]);
  await service.close();
  const stranger = Buffer.alloc(32, 8).toString('base64');
  const other = await startService({ database, env: { SECRETS_KEY: stranger } });
  assertRefused(await other.request('GET', '/api/callbacks/secret', { user: USER }), 409, 'secret_unreadable');
  await other.close();
  await database.close();
});

test('a new SECRETS_KEY ahead of the old one reseals everything, and the old one can be removed', async () => {
  const database = await openTestDatabase();
  const sealed = async () => (await database.db.selectFrom('callback_secrets').select('secret').execute())[0]?.secret;
  const readable = await startService({ database });
  const secret = await secretOf(readable);
  assert.equal(await sealed(), secret);
  await readable.close();
  const fresh = Buffer.alloc(32, 9).toString('base64');
  for (const keys of [SECRETS_KEY, `${fresh},${SECRETS_KEY}`, fresh]) {
    const before = await sealed();
    const service = await startService({ database, env: { SECRETS_KEY: keys } });
    // Secrets that are sealed with the first key already stay.
    if (keys !== fresh) await eventually(sealed, (now) => now !== before);
    assert.equal(await secretOf(service), secret);
    await service.close();
  }
  await database.close();
});

test('an encrypted secret that was moved to another user cannot be decrypted', async () => {
  const service = await startService({ env: { SECRETS_KEY } });
  await secretOf(service, 'victim');
  const { db } = service.database;
  await db.updateTable('callback_secrets').set({ user_id: 'thief' }).where('user_id', '=', 'victim').execute();
  const response = await service.request('GET', '/api/callbacks/secret', { user: 'thief' });
  assertRefused(response, 409, 'secret_unreadable');
});

/** A user with a secret that is sealed with a key which is not there any more. */
async function withLostKey(user = USER) {
  const database = await openTestDatabase();
  const before = await startService({ database, env: { SECRETS_KEY } });
  const secret = await secretOf(before, user);
  await before.close();
  const other = Buffer.alloc(32, 8).toString('base64');
  return { database, secret, other };
}

test('that a requested secret cannot be decrypted is logged once an hour, however often it is requested', async () => {
  const { database, other } = await withLostKey();
  const clock = createTestClock();
  const service = await startService({ database, clock, env: { SECRETS_KEY: other } });
  const warned = () => service.logged().filter((line) => /"level":40.*SECRETS_KEY.*requested/.test(line)).length;
  for (const hours of [1, 2]) {
    for (let times = 0; times < 5; times++)
      assertRefused(await service.request('GET', '/api/callbacks/secret', { user: USER }), 409, 'secret_unreadable');
    assert.equal(warned(), hours);
    clock.advance(60 * 60 * 1000);
  }
  await service.close();
  await database.close();
});

test('a callback that cannot be signed counts attempts and fails like any other, and is redelivered once the key is back', async () => {
  const { database, secret, other } = await withLostKey();
  const keyless = await startService({ database, env: { SECRETS_KEY: other } });
  const url = `${receiver.url}/unsigned`;
  await placeCall(keyless, '+15005550001', { callback_url: url });
  const pausing = await callbackTo(keyless, url, ({ attempts }) => attempts.length === 1);
  const [{ response_status, error }] = pausing.attempts;
  assert.deepEqual([pausing.status, response_status, error], ['pending', null, 'not_signed']);
  assert.ok(
    new Date(pausing.next_attempt_at).getTime() >= new Date(pausing.attempts[0].attempted_at).getTime() + 5_000,
  );
  for (let count = 2; count <= 20; count++) {
    await sql`update callbacks set send_at = now() where status = 'pending' and payload is not null`.execute(
      database.db,
    );
    await callbackTo(keyless, url, ({ attempts }) => attempts.length === count);
  }
  assert.equal((await callbackTo(keyless, url, ({ status }) => status === 'failed')).next_attempt_at, null);
  await keyless.close();
  assert.deepEqual(receiver.at('/unsigned'), []);
  const restored = await startService({ database, env: { SECRETS_KEY: `${other},${SECRETS_KEY}` } });
  const [{ id }] = (await restored.request('GET', '/api/callbacks')).body.items;
  assert.equal((await restored.request('POST', `/api/callbacks/${id}/redeliver`)).status, 200);
  await callbackTo(restored, url, ({ status }) => status === 'delivered');
  const [delivered] = receiver.at('/unsigned');
  assert.ok(new Webhook(secret).verify(delivered?.body ?? '', delivered?.headers ?? {}));
  await restored.close();
  await database.close();
});

test('after a rotation callbacks are signed again, although the previous secret cannot be opened', async () => {
  const { database, other } = await withLostKey();
  const service = await startService({ database, env: { SECRETS_KEY: other } });
  const { status, body } = await service.request('POST', '/api/callbacks/secret/rotate', { user: USER, body: {} });
  assert.equal(status, 200);
  assert.deepEqual(await signedWith(service, '/rotated', [body.secret]), [true]);
  await service.close();
  await database.close();
});

test('a secret that no key opens is logged, and the others are still resealed', async () => {
  const { database, other } = await withLostKey('a-first');
  const readable = await startService({ database });
  const secret = await secretOf(readable, 'b-second');
  await readable.close();
  const service = await startService({ database, env: { SECRETS_KEY: other } });
  const rows = () => database.db.selectFrom('callback_secrets').selectAll().where('user_id', '=', 'b-second').execute();
  await eventually(rows, ([row]) => row?.secret.startsWith('whsec_') === false);
  assert.equal(await secretOf(service, 'b-second'), secret);
  await eventually(
    async () => service.logged().filter((line) => line.includes('some secrets cannot be encrypted again')),
    (lines) => lines.length > 0,
  );
  await service.close();
  await database.close();
});
