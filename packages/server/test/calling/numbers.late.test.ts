import assert from 'node:assert/strict';
import { afterEach, test } from 'node:test';
import { createAgent } from '@switchboard/testkit/calls.ts';
import { createTestClock } from '@switchboard/testkit/clock.ts';
import { eventually } from '@switchboard/testkit/eventually.ts';
import { startService } from '@switchboard/testkit/service.ts';
import { ProviderError } from '../../src/providers/provider-error.ts';
import { assertRefused } from '../support/answers.ts';
import { createTestCarrier, ownedNumber } from '../support/carrier.ts';

const number = ownedNumber('+15005550010');
const { phone_number, carrier_sid } = number;
const { carrier, before, routingOf } = createTestCarrier([number]);
const clock = createTestClock();
const service = await startService({ carrier, clock });
// Another replica: what one process has begun another looks after.
const other = await startService({ carrier, clock, database: service.database });
const { db } = service.database;

const MINUTE_MS = 60_000;
type Unanswered = ConstructorParameters<typeof ProviderError>[0];

function assign(agent_id: string) {
  return service.request('POST', '/api/telephony/numbers/assign', { body: { agent_id, phone_number } });
}

function release(agent_id: string) {
  return service.request('POST', '/api/telephony/numbers/release', { body: { agent_id } });
}

/**
 * Requests to the carrier of this kind get no answer, or none that says what was done; what they ask for is not done
 * yet.
 */
function unanswered(step: 'attach' | 'detach', code: Unanswered = 'provider_timeout'): void {
  before[step] = () => {
    delete before[step];
    throw new ProviderError(code, { provider: 'sandbox', operation: step, retryable: true });
  };
}

async function reconcileAfter(minutes: number): Promise<void> {
  clock.advance(minutes * MINUTE_MS + 1_000);
  await other.app.reconcile();
  // The first replica may have taken the check as the clock moved.
  const held = async () => (await watches()).filter(({ leased_until }) => leased_until !== null);
  await eventually(held, ({ length }) => length === 0);
}

const trunkNow = async () => (await routingOf(phone_number))?.trunk_sid ?? null;
const watches = () => db.selectFrom('work').selectAll().where('kind', '=', 'number_watch').execute();

afterEach(async () => {
  for (const step of Object.keys(before) as (keyof typeof before)[]) delete before[step];
  await db.deleteFrom('number_assignments').execute();
  await db.deleteFrom('work').execute();
  await db.updateTable('agents').set({ phone_number: null, carrier_sid: null }).execute();
  await carrier.detach(carrier_sid, number.routing);
});

for (const [code, status] of [
  ['provider_timeout', 504],
  ['provider_unavailable', 503],
  ['provider_answer_invalid', 502],
] as const) {
  test(`an attach that failed (${code}) and takes effect later is reverted by the repair on any replica`, async () => {
    unanswered('attach', code);
    assertRefused(await assign(await createAgent(service)), status, code);
    assert.equal(await trunkNow(), null);
    await carrier.attach(carrier_sid);
    await reconcileAfter(1);
    assert.deepEqual(await routingOf(phone_number), number.routing);
  });
}

test('an attach that takes effect after the first check is found by a later one; checks stop after an hour', async () => {
  unanswered('attach');
  assertRefused(await assign(await createAgent(service)), 504, 'provider_timeout');
  for (const minutes of [1, 2, 4, 8, 16, 32]) {
    assert.equal((await watches()).length, 1);
    await carrier.attach(carrier_sid);
    await reconcileAfter(minutes);
    assert.deepEqual(await routingOf(phone_number), number.routing, `${minutes} minutes`);
  }
  assert.deepEqual(await watches(), []);
});

test('a check that the carrier does not answer is repeated, even the last one', async () => {
  unanswered('attach');
  assertRefused(await assign(await createAgent(service)), 504, 'provider_timeout');
  await carrier.attach(carrier_sid);
  for (const minutes of [1, 2, 4, 8, 16, 32]) {
    unanswered('detach');
    await reconcileAfter(minutes);
  }
  assert.match((await trunkNow()) ?? '', /^TK/);
  await reconcileAfter(64);
  assert.deepEqual([await routingOf(phone_number), await watches()], [number.routing, []]);
});

test('a number freed and reassigned meanwhile stays assigned, and is released to its original routing', async () => {
  unanswered('attach');
  assertRefused(await assign(await createAgent(service)), 504, 'provider_timeout');
  // Carried out before the next one reads what the number did.
  await carrier.attach(carrier_sid);
  const next = await createAgent(service);
  assert.equal((await assign(next)).status, 200);
  await reconcileAfter(1);
  assert.match((await trunkNow()) ?? '', /^TK/);
  assert.equal((await release(next)).status, 200);
  assert.deepEqual(await routingOf(phone_number), number.routing);
});

test('a number whose next assignment fails, too, gets its original routing back', async () => {
  unanswered('attach');
  assertRefused(await assign(await createAgent(service)), 504, 'provider_timeout');
  await carrier.attach(carrier_sid);
  unanswered('detach');
  assertRefused(await assign(await createAgent(service)), 504, 'provider_timeout');
  await reconcileAfter(2);
  assert.deepEqual(await routingOf(phone_number), number.routing);
});

test('a release that failed, was reverted and takes effect later does not leave an assigned number without calls', async () => {
  const agent_id = await createAgent(service);
  assert.equal((await assign(agent_id)).status, 200);
  unanswered('detach', 'provider_unavailable');
  assertRefused(await release(agent_id), 503, 'provider_unavailable');
  await carrier.detach(carrier_sid, number.routing);
  await reconcileAfter(1);
  assert.match((await trunkNow()) ?? '', /^TK/);
  assert.equal((await service.request('GET', `/api/agents/${agent_id}`)).body.phone_number, phone_number);
});

test('an assigned number that was rerouted in the meantime is left alone', async () => {
  const agent_id = await createAgent(service);
  assert.equal((await assign(agent_id)).status, 200);
  unanswered('detach', 'provider_unavailable');
  assertRefused(await release(agent_id), 503, 'provider_unavailable');
  const theirs = { ...number.routing, voice_url: 'https://example.com/other' };
  await carrier.detach(carrier_sid, theirs);
  await reconcileAfter(1);
  assert.deepEqual(await routingOf(phone_number), theirs);
});

test('requests of a process that died are watched too, once its claim is reverted', async () => {
  const agent_id = await createAgent(service);
  const previous_routing = JSON.stringify(number.routing);
  const times = { created_at: clock.now(), updated_at: clock.now() };
  const claim = { phone_number, agent_id, carrier_sid, state: 'assigning' as const, previous_routing, ...times };
  await db.insertInto('number_assignments').values(claim).execute();
  await reconcileAfter(2);
  assert.deepEqual(await db.selectFrom('number_assignments').selectAll().execute(), []);
  await carrier.attach(carrier_sid);
  await reconcileAfter(1);
  assert.deepEqual(await routingOf(phone_number), number.routing);
});

test('a release whose process died is completed by one replica, and what follows it stays', async () => {
  const agent_id = await createAgent(service);
  assert.equal((await assign(agent_id)).status, 200);
  await db.updateTable('number_assignments').set({ state: 'releasing', updated_at: clock.now() }).execute();
  clock.advance(MINUTE_MS + 1_000);
  const [begun, goOn] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  before.detach = async () => {
    delete before.detach;
    begun.resolve();
    await goOn.promise;
  };
  const slow = service.app.reconcile();
  await begun.promise;
  await other.app.reconcile();
  goOn.resolve();
  await slow;
  assert.equal(await trunkNow(), null);
  const released = db.selectFrom('audit_log').select('id').where('action', '=', 'number.released');
  assert.equal((await released.where('target', '=', `agent/${agent_id}`).execute()).length, 1);
});
