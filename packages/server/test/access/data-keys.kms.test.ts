import assert from 'node:assert/strict';
import { test } from 'node:test';
import { USER } from '@switchboard/testkit/calls.ts';
import { SECRETS_KEY } from '@switchboard/testkit/keys.ts';
import { createDataKeys, type DataKey } from '../../src/access/data-keys/data-keys.ts';
import { systemClock } from '../../src/lib/clock.ts';
import { createLogger } from '../../src/lib/log.ts';
import { createSeal, type Seal } from '../../src/lib/seal.ts';
import { ConfigError, loadSettings } from '../../src/settings-load.ts';
import { openKms } from '../support/kms.ts';
import { tidy } from '../support/tidy.ts';
import { TOKEN } from '../support/transit.ts';

const { db, transit, LOCAL, ALONE, KMS, as, talk, said, refusalTo, areAll } = await openKms();

test('a key management service takes over the keys of users, is rotated, and gets another key', async () => {
  const { call_id } = await as(LOCAL, talk);
  await areAll(/^eyJ/);
  await as(KMS, async (service) => {
    assert.deepEqual(await said(service, call_id), ['about zebulon'], 'encrypted before it was introduced');
    await tidy(service);
  });
  await areAll(/^kms:user-keys:vault:v1:/);
  transit.rotate();
  await as(ALONE, async (service) => {
    assert.deepEqual(await said(service, call_id), ['about zebulon'], 'SECRETS_KEY is no longer needed for it');
    assert.equal((await service.request('GET', '/api/calls?q=zebulon')).body.items.length, 1);
  });
  transit.add('next');
  await as({ ...KMS, SECRETS_KMS_KEY: 'next' }, async (service) => {
    await tidy(service);
    await areAll(/^kms:next:vault:v1:/);
    assert.deepEqual(await said(service, call_id), ['about zebulon']);
  });
  await db.deleteFrom('data_keys').execute();
});

test('a key that was not the user’s, or is damaged, is told apart from a service that fails', async () => {
  const call = await as(KMS, talk);
  const { secret } = await db
    .selectFrom('data_keys')
    .select('secret')
    .where('user_id', '=', USER)
    .executeTakeFirstOrThrow();
  const change = (text: string) =>
    db.updateTable('data_keys').set({ secret: text }).where('user_id', '=', USER).execute();
  await change('kms:user-keys:vault:v1:AAAA');
  await as(KMS, async (service) => {
    assert.deepEqual(await refusalTo(service, call.call_id), [409, 'secret_unreadable', null]);
    const asked = transit.state.requests;
    assert.deepEqual(await refusalTo(service, call.call_id), [409, 'secret_unreadable', null]);
    assert.equal(transit.state.requests, asked, 'remembered for a minute');
  });
  await change(secret);
});

test('a result asks for some keys at the same time, and requests for the same one once', async () => {
  const [asked, most] = [[] as string[], { running: 0, max: 0 }];
  const local = createSeal([SECRETS_KEY]);
  const seal: Seal = {
    ...local,
    open: async (sealed, owner) => {
      asked.push(owner);
      most.max = Math.max(most.max, ++most.running);
      await new Promise((resolve) => setTimeout(resolve, 20));
      most.running--;
      return local.open(sealed, owner);
    },
  };
  const owners = Array.from({ length: 25 }, (_, i) => `owner-${i}`);
  const log = createLogger({ level: 'silent', pretty: false });
  const make = createDataKeys({ db, clock: systemClock, log, seal: local, isOn: true });
  const made = await db.transaction().execute(async (trx) => {
    const keys = [];
    for (const owner of owners) keys.push(await make.heldOf(trx, owner));
    return keys;
  });
  const { byIds, byId } = createDataKeys({ db, clock: systemClock, log, seal, isOn: true });
  const ids = made.map(({ id }) => id);
  const run = async () => (await db.selectFrom('data_keys').selectAll().where('id', 'in', ids).execute()) as never;
  const [found, again] = await Promise.all([byIds(ids, run), byIds(ids, run), ...ids.map(byId)]);
  const keyOf = (one: unknown) => (one as DataKey).key;
  for (const { id, key } of made) {
    assert.deepEqual(keyOf(found.get(id)), key);
    assert.deepEqual(keyOf(again.get(id)), key);
  }
  assert.deepEqual(asked.toSorted(), owners.toSorted(), 'each once');
  assert.ok(most.max > 1);
  await db.deleteFrom('data_keys').where('user_id', 'in', owners).execute();
});

test('its settings belong together', () => {
  const mistakes = (env: Record<string, string>) => {
    try {
      loadSettings(env);
      return [];
    } catch (error) {
      assert.ok(error instanceof ConfigError);
      assert.ok(!error.message.includes(TOKEN));
      return error.message.split('\n').slice(1);
    }
  };
  for (const token of ['hvs.one\nhvs.two', 'hvs.\u20ac']) {
    const [mistake = ''] = mistakes({ ...ALONE, SECRETS_KMS_TOKEN: token });
    assert.match(mistake, /SECRETS_KMS_TOKEN: must be printable ASCII/);
    assert.ok(!mistake.includes('hvs.'));
  }
  const { SECRETS_KMS_TOKEN: _, ...withoutToken } = ALONE;
  assert.deepEqual(mistakes({ ...ALONE, ENCRYPT_CONTENT: 'true' }), []);
  assert.match(mistakes(withoutToken).join(), /SECRETS_KMS_TOKEN: set either it or SECRETS_KMS_TOKEN_FILE/);
  assert.match(mistakes({ ...ALONE, SECRETS_KMS_TOKEN_FILE: '/a' }).join(), /, not both/);
  assert.match(mistakes({ SECRETS_KMS_URL: transit.url, SECRETS_KMS_TOKEN: TOKEN }).join(), /SECRETS_KMS_KEY/);
  assert.match(mistakes({ ...ALONE, SECRETS_KMS_KEY: 'a:b' }).join(), /SECRETS_KMS_KEY: must be the name of a key/);
});
