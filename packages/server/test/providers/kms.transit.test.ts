import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, test } from 'node:test';
import { inspect } from 'node:util';
import { eventually } from '@switchboard/testkit/eventually.ts';
import { createTransit } from '../../src/providers/kms/transit.ts';
import { KEY, startTransit, TOKEN } from '../support/transit.ts';

const transit = await startTransit();
const { state, url } = transit;
const dir = await mkdtemp(path.join(tmpdir(), 'switchboard-kms-'));
after(() => rm(dir, { recursive: true }));

const SETTINGS = { url, mount: 'transit', key: KEY, token: TOKEN, tokenFile: null };
const open = (settings: object = {}) => createTransit({ ...SETTINGS, ...settings });
const refused =
  (said: RegExp, code = 'provider_unavailable') =>
  (error: Error & { code?: string }) => {
    assert.equal(error.code, code);
    assert.match(String(error.cause), said);
    assert.ok(!String(error.cause).includes(TOKEN));
    return true;
  };

/** Waits until it answers again, and is probed no more. */
const recovers = (kms: ReturnType<typeof open>) =>
  eventually(
    () => kms.wrap('a', 'b').catch(() => ''),
    (wrapped) => wrapped.startsWith('vault:'),
  );

test('what is wrapped for an owner is unwrapped for it, also once the key was rotated, and for no other', async () => {
  const kms = open({ url: `${url}/` });
  for (const owner of ['user-1', '', 'Jürgen']) {
    const wrapped = await kms.wrap('data_ä', owner);
    assert.match(wrapped, /^vault:v\d+:/);
    assert.ok(!wrapped.includes('data_'));
    transit.rotate();
    assert.equal(await kms.unwrap(wrapped, owner, KEY), 'data_ä');
    assert.notEqual((await kms.wrap('data_ä', owner)).split(':')[1], wrapped.split(':')[1]);
    await assert.rejects(kms.unwrap(wrapped, 'user-2', KEY), refused(/decrypt: 400/, 'secret_unreadable'));
  }
});

test('refusals say why, are not repeated, and stop nobody else', async () => {
  const before = state.requests;
  await assert.rejects(open({ token: 'wrong' }).wrap('a', 'b'), refused(/encrypt: 403 .*permission denied/));
  await assert.rejects(open({ mount: 'elsewhere' }).wrap('a', 'b'), refused(/404 .*no handler/));
  const kms = open();
  await assert.rejects(
    kms.unwrap('vault:v1:AAAA', 'b', 'missing'),
    refused(/decrypt: 400 .*key not found/, 'secret_unreadable'),
  );
  await assert.rejects(open({ key: 'missing' }).wrap('a', 'b'), refused(/encrypt: 400 .*key not found/));
  assert.equal(state.requests, before + 4);
  assert.equal(await kms.unwrap(await kms.wrap('a', 'b'), 'b', KEY), 'a');
});

for (const failure of [503, 500, 429, 412])
  test(`a request is repeated once after ${failure}`, async () => {
    const before = state.requests;
    state.failures.push(failure);
    const kms = open();
    assert.match(await kms.wrap('a', 'b'), /^vault:/);
    assert.equal(state.requests, before + 2);
  });

for (const failure of [429, 412])
  test(`a request that fails with ${failure} again fails alone`, async () => {
    const kms = open();
    state.failures.push(failure, failure);
    await assert.rejects(kms.wrap('a', 'b'), refused(new RegExp(`encrypt: ${failure}`)));
    assert.match(await kms.wrap('a', 'b'), /^vault:/);
  });

test('one that fails for a moment is used again within two seconds', async () => {
  const kms = open();
  state.failures.push(503, 503);
  await assert.rejects(kms.wrap('a', 'b'), refused(/503/));
  const begun = performance.now();
  await recovers(kms);
  assert.ok(performance.now() - begun < 2_000);
});

test('one that goes on failing is asked less and less often', async () => {
  const kms = open();
  state.isSealed = true;
  const before = state.requests;
  await assert.rejects(kms.wrap('a', 'b'), refused(/503/));
  /** Waits until it was asked so often, the request and each probe twice; returns when that was. */
  const asked = async (times: number) => {
    await eventually(
      async () => state.requests,
      (requests) => requests >= before + times,
    );
    return state.times[before + times - 1] ?? assert.fail();
  };
  // Between the last requests of two probes: a pause of 400 ms, then one of 800, and one of 200 in each.
  const [first, second, third] = [await asked(4), await asked(6), await asked(8)];
  assert.ok(second - first > 500 && third - second > 800, `${second - first} ms, ${third - second} ms`);
  state.isSealed = false;
  await recovers(kms);
});

test('one that does not answer is not asked twice', async () => {
  const before = state.requests;
  state.failures.push('stall');
  const kms = open();
  const begun = performance.now();
  await assert.rejects(kms.wrap('a', 'b'), refused(/no answer: .*timeout/));
  assert.ok(performance.now() - begun < 1_900);
  assert.equal(state.requests, before + 1);
  await recovers(kms);
});

test('one that is away is asked again by one request, and nobody waits until it answers', async () => {
  const kms = open();
  state.isStalled = true;
  const before = state.requests;
  const refuses = () => assert.rejects(kms.wrap('a', 'b'), refused(/no answer: .*timeout/));
  await Promise.all([refuses(), refuses(), refuses()]);
  assert.equal(state.requests, before + 3);
  // The probe hangs, too.
  await eventually(
    async () => state.requests,
    (requests) => requests === before + 4,
  );
  const begun = performance.now();
  for (let i = 0; i < 10; i++) await refuses();
  assert.ok(performance.now() - begun < 500);
  assert.equal(state.requests, before + 4);
  state.isStalled = false;
  await recovers(kms);
});

test('a token that no header may have is refused without naming it', async () => {
  const tokenFile = path.join(dir, 'broken');
  for (const token of ['hvs.one\nhvs.two', 'hvs.\u20ac', 'hvs.a b', '']) {
    await writeFile(tokenFile, token);
    for (const settings of [{ token }, { token: null, tokenFile }])
      await assert.rejects(open(settings).wrap('a', 'b'), (error: Error) => {
        assert.match(String(error.cause), /the token is empty, or has characters/);
        assert.ok(!inspect(error).includes('hvs.'), inspect(error));
        return true;
      });
  }
});

test('an address where nothing listens, or something else, is named as that', async () => {
  await assert.rejects(open({ url: 'http://127.0.0.1:1' }).wrap('a', 'b'), refused(/no answer: .+/));
});

test('a token in a file is read for each request', async () => {
  const tokenFile = path.join(dir, 'token');
  const kms = open({ token: null, tokenFile });
  await assert.rejects(kms.wrap('a', 'b'), refused(/ENOENT/));
  await writeFile(tokenFile, `${TOKEN}\n`);
  assert.match(await kms.wrap('a', 'b'), /^vault:/);
  state.tokens.delete(TOKEN);
  state.tokens.add('hvs.renewed');
  await writeFile(tokenFile, 'hvs.renewed');
  assert.match(await kms.wrap('a', 'b'), /^vault:/);
  state.tokens.add(TOKEN);
});
