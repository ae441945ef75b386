import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import { type TestContext, test } from 'node:test';
import { eventually } from '@switchboard/testkit/eventually.ts';
import { serveHttp } from '@switchboard/testkit/http-server.ts';
import { exportJWK, generateKeyPair, SignJWT } from 'jose';
import { createJwtAuthenticate } from '../../src/access/keys/jwt.ts';

const MINUTE_MS = 60_000;
const NAMES = ['one', 'two'] as const;
const pairs = { one: await generateKeyPair('ES256'), two: await generateKeyPair('ES256') };
const AWAY = { code: 'provider_unavailable' };

/** A provider that has key `one` at first, those who check its tokens, and the time, which passes when told. */
async function provide(t: TestContext) {
  const provider = { keys: ['one'] as (keyof typeof pairs)[], status: 200, asked: 0, isSlow: false };
  const waiting: ServerResponse[] = [];
  const server = await serveHttp(async (_request, response) => {
    provider.asked++;
    const { status, isSlow } = provider;
    const keys = provider.keys.map(async (kid) => ({ ...(await exportJWK(pairs[kid].publicKey)), kid, alg: 'ES256' }));
    response.writeHead(status, { 'content-type': 'application/json' });
    if (isSlow) waiting.push(response);
    else response.end(JSON.stringify({ keys: await Promise.all(keys) }));
  });
  t.after(server.close);
  const warnings: unknown[] = [];
  const who = { issuer: server.url, audience: 'switchboard-test' };
  const log = { warn: (...warning: unknown[]) => void warnings.push(warning) };
  const authenticate = createJwtAuthenticate({ ...who, jwksUrl: `${server.url}/jwks.json`, log });
  const tokenOf = (kid: keyof typeof pairs) =>
    new SignJWT({ sub: 'ada', iss: who.issuer, aud: who.audience })
      .setProtectedHeader({ alg: 'ES256', kid })
      .setExpirationTime('3h')
      .sign(pairs[kid].privateKey);
  const tokens = Object.fromEntries(await Promise.all(NAMES.map(async (kid) => [kid, await tokenOf(kid)])));
  let now = Date.now();
  t.mock.method(Date, 'now', () => now);
  return {
    provider,
    warnings,
    pass: (ms: number) => (now += ms),
    /** The user of a token that this key has signed; null if it is refused. */
    show: async (kid: keyof typeof pairs) => (await authenticate(tokens[kid]))?.user_id ?? null,
  };
}

test('while the identity provider is away its last keys are used for an hour, and hardly anybody asks for others', async (t) => {
  const { provider, warnings, pass, show } = await provide(t);
  assert.equal(await show('one'), 'ada');
  provider.status = 503;
  pass(10 * MINUTE_MS);
  for (let times = 0; times < 5; times++)
    assert.deepEqual(await Promise.all([show('one'), show('one')]), ['ada', 'ada']);
  assert.deepEqual([provider.asked, warnings.length], [2, 1]);
  pass(10_000);
  assert.equal(await show('one'), 'ada');
  await eventually(
    async () => warnings.length,
    (count) => count === 2,
  );
  assert.equal(provider.asked, 3);
  await assert.rejects(show('two'), AWAY);
  pass(50 * MINUTE_MS - 10_001);
  assert.equal(await show('one'), 'ada');
  pass(1);
  await assert.rejects(show('one'), AWAY);
  provider.status = 200;
  assert.equal(await show('one'), 'ada');
});

test('nobody waits for an identity provider that has just failed', async (t) => {
  const { provider, pass, show } = await provide(t);
  assert.equal(await show('one'), 'ada');
  provider.status = 503;
  pass(10 * MINUTE_MS);
  assert.equal(await show('one'), 'ada');
  Object.assign(provider, { status: 200, isSlow: true });
  pass(10_000);
  const begun = performance.now();
  for (let times = 0; times < 5; times++) assert.equal(await show('one'), 'ada');
  // The provider is given five seconds.
  assert.ok(performance.now() - begun < 4_000);
});

test('a new key of the identity provider is accepted at once, and one that it no longer has not after ten minutes', async (t) => {
  const { provider, pass, show } = await provide(t);
  assert.equal(await show('one'), 'ada');
  assert.equal(await show('two'), null);
  provider.keys = ['two'];
  pass(31_000);
  assert.equal(await show('two'), 'ada');
  assert.equal(await show('one'), null);
  assert.equal(provider.asked, 2);
  provider.keys = ['one'];
  pass(10 * MINUTE_MS - 1);
  assert.equal(await show('two'), 'ada');
  pass(1);
  assert.equal(await show('two'), null);
  assert.equal(await show('one'), 'ada');
  assert.equal(provider.asked, 3);
});
