import assert from 'node:assert/strict';
import { test } from 'node:test';
import { USER } from '@switchboard/testkit/calls.ts';
import { eventually } from '@switchboard/testkit/eventually.ts';
import { countWaiting } from '@switchboard/testkit/waiting.ts';
import { sql } from 'kysely';
import { assertRefused } from '../support/answers.ts';
import { openKms } from '../support/kms.ts';
import { tidy } from '../support/tidy.ts';
import { TOKEN } from '../support/transit.ts';

const { db, transit, KMS, as, say, talk, said, refusalTo, areAll } = await openKms();

test('while it is away a process starts, reads and writes are refused, and nothing is lost', async () => {
  const call = await as(KMS, talk);
  transit.state.isSealed = true;
  await as(KMS, async (service) => {
    assert.deepEqual(await refusalTo(service, call.call_id), [503, 'provider_unavailable', '5']);
    assertRefused(await say(service, call.room_name, 'more'), 503, 'provider_unavailable');
    assert.equal((await service.request('GET', '/api/agents/', { user: USER })).status, 200);
    // Deletions go on, and the keys stay as they are.
    await tidy(service);
    assert.equal((await refusalTo(service, '', '/api/calls?q=zebulon'))[0], 503);
    assert.ok(!service.logged().join('\n').includes(TOKEN));
    assert.ok(service.logged().join('\n').includes('Vault is sealed'));
    await areAll(/^kms:user-keys:/);
    transit.state.isSealed = false;
    // Within seconds: its failure is not remembered.
    await eventually(
      () => refusalTo(service, call.call_id),
      ([status]) => status === 200,
    );
    const lines = service.logged().map((line) => JSON.parse(line).msg as string);
    const about = lines.filter((msg) => msg.startsWith('the key management service'));
    assert.deepEqual(
      about.map((msg) => /failed|succeeds/.exec(msg)?.[0]),
      ['failed', 'succeeds'],
      'once each',
    );
    assert.equal((await say(service, call.room_name, 'more')).status, 201);
    assert.deepEqual(await said(service, call.call_id), ['about zebulon', 'more']);
  });
});

test('one that never answers delays the service for about a second, and then nobody', async () => {
  const call = await as(KMS, talk);
  await as(KMS, async (service) => {
    transit.state.isStalled = true;
    const took = async (work: () => Promise<unknown>) => {
      const waited = countWaiting();
      await work();
      return waited();
    };
    const read = async () => assert.equal((await refusalTo(service, call.call_id))[0], 503);
    const list = async () => assert.equal((await service.request('GET', '/api/agents/', { user: USER })).status, 200);
    // The embedded database has one connection, on which the key is awaited.
    const first = await Promise.all([read, list, read, list].map(took));
    assert.ok(Math.max(...first) < 1_900, String(first));
    const asked = transit.state.requests;
    // Until after it was asked again, in vain.
    const later: number[] = [];
    const until = performance.now() + 6_500;
    while (performance.now() < until) {
      later.push(await took(read), await took(list));
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    assert.ok(transit.state.requests > asked);
    assert.ok(Math.max(...later) < 700, String(later));
    transit.state.isStalled = false;
    await eventually(
      () => refusalTo(service, call.call_id),
      ([status]) => status === 200,
    );
  });
});

test('words of a user whose key cannot be decrypted now are indexed later', async () => {
  const { call_id } = await as(KMS, talk);
  await as(KMS, async (service) => {
    const found = async () => {
      await service.app.reconcile();
      const { items } = (await service.request('GET', '/api/calls?q=zebulon')).body;
      return items.some((one: { call_id: string }) => one.call_id === call_id);
    };
    // It has the key that hashes words from now on, and not the user's.
    assert.ok(await found());
    transit.state.isSealed = true;
    await sql`delete from call_words`.execute(db);
    await sql`update call_words_progress set seen = '1'`.execute(db);
    assert.equal(await found(), false);
    transit.state.isSealed = false;
    await eventually(found, (isFound) => isFound);
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
    await eventually(
      () => say(service, room_name, 'two'),
      ({ status }) => status === 201,
    );
  });
});
