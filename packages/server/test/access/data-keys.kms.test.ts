import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { createAgent, placeCall, reaches, USER } from '@switchboard/testkit/calls.ts';
import { openTestDatabase } from '@switchboard/testkit/database.ts';
import { eventually } from '@switchboard/testkit/eventually.ts';
import { SECRETS_KEY } from '@switchboard/testkit/keys.ts';
import { type Service, startService } from '@switchboard/testkit/service.ts';
import { ConfigError, loadSettings } from '../../src/settings-load.ts';
import { assertRefused } from '../support/answers.ts';
import { tidy } from '../support/tidy.ts';
import { KEY, startTransit, TOKEN } from '../support/transit.ts';

const database = await openTestDatabase();
after(() => database.close());
const { db } = database;
const transit = await startTransit();
const LOCAL = { SECRETS_KEY };
const ALONE = { SECRETS_KMS_URL: transit.url, SECRETS_KMS_KEY: KEY, SECRETS_KMS_TOKEN: TOKEN };
const KMS = { ...LOCAL, ...ALONE };

/** A process of the service with these settings. */
async function as<T>(env: Record<string, string>, work: (service: Service) => Promise<T>): Promise<T> {
  const service = await startService({ database, env: { ENCRYPT_CONTENT: 'true', ...env } });
  return work(service).finally(() => service.close());
}

const say = (service: Service, room_name: string, content: string) =>
  service.request('POST', `/api/sessions/by-room/${room_name}/transcripts`, { body: { content } });

async function talk(service: Service) {
  const agent_id = await createAgent(service);
  const call = await placeCall(service, '+15005550100', { agent_id });
  await reaches(service, call.call_id, 'ANSWERED');
  assert.equal((await say(service, call.room_name, 'about zebulon')).status, 201);
  // Indexed in the background, with the key of the installation.
  await eventually(
    async () => {
      await service.app.reconcile();
      return (await service.request('GET', '/api/calls?q=zebulon')).body.items.length;
    },
    (count) => count > 0,
  );
  await eventually(secrets, ({ length }) => length >= 2);
  return call;
}

async function said(service: Service, call_id: string): Promise<string[]> {
  const { status, body } = await service.request('GET', `/api/sessions/${call_id}/transcripts`);
  assert.equal(status, 200, JSON.stringify(body));
  return body.items.map(({ content }: { content: string }) => content);
}

const secrets = async () => (await db.selectFrom('data_keys').select('secret').execute()).map(({ secret }) => secret);
const areAll = async (pattern: RegExp) => {
  const all = await secrets();
  assert.ok(all.length >= 2, 'a user’s and that of the installation');
  for (const secret of all) assert.match(secret, pattern);
};

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

test('while it is away a process starts, reads and writes are refused, and nothing is lost', async () => {
  const call = await as(KMS, talk);
  transit.state.isSealed = true;
  await as(KMS, async (service) => {
    const response = await fetch(`${service.url}/api/sessions/${call.call_id}/transcripts`);
    const { code } = (await response.json()) as { code: string };
    assert.deepEqual([response.status, code], [409, 'secret_unreadable']);
    assertRefused(await say(service, call.room_name, 'more'), 503, 'provider_unavailable');
    assert.equal((await service.request('GET', '/api/agents/', { user: USER })).status, 200);
    // Deletions go on, and the keys stay as they are.
    await tidy(service);
    assert.ok(!service.logged().join('\n').includes(TOKEN));
    assert.ok(service.logged().join('\n').includes('Vault is sealed'));
  });
  await areAll(/^kms:user-keys:/);
  transit.state.isSealed = false;
  await as(KMS, async (service) => {
    assert.equal((await say(service, call.room_name, 'more')).status, 201);
    assert.deepEqual(await said(service, call.call_id), ['about zebulon', 'more']);
  });
});

test('a user who has no key yet gets one only once the service is back', async () => {
  await as(KMS, async (service) => {
    const agent = await service.request('POST', '/api/agents/', { body: { name: 'A', user_id: 'user-new' } });
    const body = { agent_id: agent.body.id, user_id: 'user-new' };
    const { room_name } = (await service.request('POST', '/api/sessions/', { body })).body;
    transit.state.isSealed = true;
    assertRefused(await say(service, room_name, 'one'), 503, 'provider_unavailable');
    transit.state.isSealed = false;
    await new Promise((resolve) => setTimeout(resolve, 5_100));
    assert.equal((await say(service, room_name, 'two')).status, 201);
  });
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
  const { SECRETS_KMS_TOKEN: _, ...withoutToken } = ALONE;
  assert.deepEqual(mistakes({ ...ALONE, ENCRYPT_CONTENT: 'true' }), []);
  assert.match(mistakes(withoutToken).join(), /SECRETS_KMS_TOKEN: it or SECRETS_KMS_TOKEN_FILE must be set/);
  assert.match(mistakes({ ...ALONE, SECRETS_KMS_TOKEN_FILE: '/a' }).join(), /and not both/);
  assert.match(mistakes({ SECRETS_KMS_URL: transit.url, SECRETS_KMS_TOKEN: TOKEN }).join(), /SECRETS_KMS_KEY/);
  assert.match(mistakes({ ...ALONE, SECRETS_KMS_KEY: 'a:b' }).join(), /SECRETS_KMS_KEY: must be the name of a key/);
});
