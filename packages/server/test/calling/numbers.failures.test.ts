import assert from 'node:assert/strict';
import { afterEach, test } from 'node:test';
import { createAgent } from '@switchboard/testkit/calls.ts';
import { createTestClock } from '@switchboard/testkit/clock.ts';
import { startService } from '@switchboard/testkit/service.ts';
import { ProviderError } from '../../src/providers/provider-error.ts';
import { assertRefused } from '../support/answers.ts';
import { createTestCarrier, ownedNumber, refusal } from '../support/carrier.ts';

const MUTE = '+15005550019';
const numbers = Array.from({ length: 9 }, (_, index) => ownedNumber(`+150055500${10 + index}`));
const owned = [...numbers, ownedNumber(MUTE, { voice: false })];
const { carrier, before, routingOf } = createTestCarrier(owned);
const clock = createTestClock('2026-03-01T10:00:00.000Z');
const service = await startService({ carrier, clock });
const [first, second] = numbers as [(typeof numbers)[0], (typeof numbers)[0]];

function assign(agent_id: string, phone_number: string) {
  return service.request('POST', '/api/telephony/numbers/assign', { body: { agent_id, phone_number } });
}

function release(agent_id: string) {
  return service.request('POST', '/api/telephony/numbers/release', { body: { agent_id } });
}

function rows() {
  return service.database.db.selectFrom('number_assignments').select(['phone_number', 'state']).execute();
}

async function numberOf(agent_id: string): Promise<string | null> {
  return (await service.request('GET', `/api/agents/${agent_id}`)).body.phone_number;
}

/** Detaches the first number, once, and fails as if the answer had been lost. */
async function takesEffectButFails(code: 'provider_unavailable' | 'provider_timeout'): Promise<never> {
  delete before.detach;
  await carrier.detach(first.carrier_sid, first.routing);
  throw new ProviderError(code, { provider: 'sandbox', operation: 'detach', retryable: true });
}

/** The state that a process leaves behind which dies in the middle. */
async function leaveUnfinished(state: 'assigning' | 'releasing', number: typeof first, at: string): Promise<string> {
  const agent_id = await createAgent(service);
  await carrier.attach(number.carrier_sid);
  const { db } = service.database;
  const times = { created_at: new Date(at), updated_at: new Date(at) };
  const { phone_number, carrier_sid } = number;
  const previous_routing = JSON.stringify(number.routing);
  await db
    .insertInto('number_assignments')
    .values({ phone_number, agent_id, carrier_sid, state, previous_routing, ...times })
    .execute();
  if (state === 'releasing') {
    await db.updateTable('agents').set({ phone_number, carrier_sid }).where('id', '=', agent_id).execute();
  }
  return agent_id;
}

// Every test finds a working carrier, all numbers free, and the routing they had.
afterEach(async () => {
  for (const step of Object.keys(before) as (keyof typeof before)[]) delete before[step];
  await service.database.db.deleteFrom('number_assignments').execute();
  await service.database.db.updateTable('agents').set({ phone_number: null, carrier_sid: null }).execute();
  for (const number of owned) await carrier.detach(number.carrier_sid, number.routing);
});

test('a number that cannot carry voice is refused', async () => {
  assertRefused(await assign(await createAgent(service), MUTE), 409, 'number_without_voice');
  assert.deepEqual(await rows(), []);
});

test('assigning routes the number’s calls here, releasing restores its previous routing', async () => {
  const agent_id = await createAgent(service);
  assert.equal((await assign(agent_id, first.phone_number)).status, 200);
  const routing = await routingOf(first.phone_number);
  assert.match(routing?.trunk_sid ?? '', /^TK/);
  assert.equal(routing?.voice_application_sid, null);
  assert.equal((await release(agent_id)).status, 200);
  assert.deepEqual(await routingOf(first.phone_number), first.routing);
});

test('releasing keeps a routing that was changed at the carrier in the meantime', async () => {
  const agent_id = await createAgent(service);
  await assign(agent_id, second.phone_number);
  const theirs = { ...second.routing, voice_url: 'https://example.com/other' };
  await carrier.detach(second.carrier_sid, theirs);
  assert.equal((await release(agent_id)).status, 200);
  assert.deepEqual(await routingOf(second.phone_number), theirs);
});

test('when the carrier refuses to route, the number stays free and the carrier’s message is not shown', async () => {
  const agent_id = await createAgent(service);
  before.attach = () => {
    throw refusal('attach');
  };
  const answer = await assign(agent_id, first.phone_number);
  assertRefused(answer, 502, 'provider_refused');
  assert.ok(answer.body.request_id);
  assert.deepEqual(await rows(), []);
  assert.equal(await numberOf(agent_id), null);
  assert.deepEqual(await routingOf(first.phone_number), first.routing);
  delete before.attach;
  assert.equal((await assign(await createAgent(service), first.phone_number)).status, 200);
});

test('when the carrier fails to restore the routing, the number stays assigned and working', async () => {
  const agent_id = await createAgent(service);
  await assign(agent_id, first.phone_number);
  before.detach = () => {
    throw refusal('detach');
  };
  assertRefused(await release(agent_id), 502, 'provider_refused');
  assert.equal(await numberOf(agent_id), first.phone_number);
  assert.match((await routingOf(first.phone_number))?.trunk_sid ?? '', /^TK/);
  delete before.detach;
  assert.equal((await release(agent_id)).status, 200);
  assert.deepEqual(await routingOf(first.phone_number), first.routing);
});

test('a release that fails but is carried out by the carrier is reverted, and can be repeated', async () => {
  const agent_id = await createAgent(service);
  await assign(agent_id, first.phone_number);
  before.detach = () => takesEffectButFails('provider_unavailable');
  assertRefused(await release(agent_id), 503, 'provider_unavailable');
  assert.equal(await numberOf(agent_id), first.phone_number);
  assert.match((await routingOf(first.phone_number))?.trunk_sid ?? '', /^TK/);
  assert.equal((await release(agent_id)).status, 200);
  assert.deepEqual(await routingOf(first.phone_number), first.routing);
});

test('a release that may still take effect, or cannot be reverted, is completed a minute later', async () => {
  for (const code of ['provider_timeout', 'provider_unavailable'] as const) {
    clock.set('2026-03-01T10:00:00.000Z');
    const agent_id = await createAgent(service);
    await assign(agent_id, first.phone_number);
    before.detach = () => takesEffectButFails(code);
    before.attach = () => {
      throw refusal('attach');
    };
    assertRefused(await release(agent_id), code === 'provider_timeout' ? 504 : 503, code);
    assertRefused(await release(agent_id), 409, 'number_busy');
    delete before.attach;
    clock.set('2026-03-01T10:01:01.000Z');
    await service.app.reconcile();
    assert.deepEqual([await rows(), await numberOf(agent_id)], [[], null]);
    assert.deepEqual(await routingOf(first.phone_number), first.routing);
  }
});

test('when the carrier routes but reports an error, and reverting fails, the claim is kept until the repair', async () => {
  clock.set('2026-03-01T10:00:00.000Z');
  const agent_id = await createAgent(service);
  before.attach = () => {
    throw refusal('attach');
  };
  before.detach = () => {
    throw refusal('detach');
  };
  assertRefused(await assign(agent_id, first.phone_number), 502, 'provider_refused');
  assertRefused(await assign(await createAgent(service), first.phone_number), 409, 'number_taken');
  delete before.attach;
  delete before.detach;
  clock.set('2026-03-01T10:05:00.000Z');
  await service.app.reconcile();
  assert.equal((await assign(await createAgent(service), first.phone_number)).status, 200);
});

test('a number being assigned or released cannot be claimed by others', async () => {
  const agent_id = await createAgent(service);
  const other = await createAgent(service);
  const during: [number, string][] = [];
  const note = async (answer: Promise<{ status: number; body: { code: string } }>) => {
    const { status, body } = await answer;
    during.push([status, body.code]);
  };
  before.attach = async () => {
    await note(assign(other, first.phone_number));
    await note(release(agent_id));
  };
  assert.equal((await assign(agent_id, first.phone_number)).status, 200);
  delete before.attach;
  before.detach = async () => {
    await note(assign(other, first.phone_number));
    await note(release(agent_id));
  };
  assert.equal((await release(agent_id)).status, 200);
  const expected: [number, string][] = [
    [409, 'number_taken'],
    [409, 'number_busy'],
  ];
  assert.deepEqual(during, [...expected, ...expected]);
});

test('deleting an agent while its number is being assigned leaves the number free', async () => {
  const agent_id = await createAgent(service);
  before.attach = async () => {
    await service.request('DELETE', `/api/agents/${agent_id}`);
  };
  assertRefused(await assign(agent_id, first.phone_number), 404, 'not_found');
  assert.deepEqual(await rows(), []);
  assert.deepEqual(await routingOf(first.phone_number), first.routing);
});

test('an assignment whose process died is reverted', async () => {
  clock.set('2026-03-01T10:00:00.000Z');
  const agent_id = await leaveUnfinished('assigning', first, '2026-03-01T09:50:00.000Z');
  await service.app.reconcile();
  assert.deepEqual(await rows(), []);
  assert.equal(await numberOf(agent_id), null);
  assert.deepEqual(await routingOf(first.phone_number), first.routing);
  assert.equal((await assign(agent_id, first.phone_number)).status, 200);
});

test('a release whose process died is completed', async () => {
  clock.set('2026-03-01T10:00:00.000Z');
  const agent_id = await leaveUnfinished('releasing', first, '2026-03-01T09:50:00.000Z');
  await service.app.reconcile();
  assert.deepEqual(await rows(), []);
  assert.equal(await numberOf(agent_id), null);
  assert.deepEqual(await routingOf(first.phone_number), first.routing);
});

test('changes under way in a living process and finished assignments are not repaired', async () => {
  clock.set('2026-03-01T10:00:00.000Z');
  await leaveUnfinished('assigning', first, '2026-03-01T09:59:30.000Z');
  const holder = await createAgent(service);
  await assign(holder, second.phone_number);
  await service.app.reconcile();
  assert.deepEqual((await rows()).map(({ phone_number, state }) => `${phone_number} ${state}`).sort(), [
    `${first.phone_number} assigning`,
    `${second.phone_number} assigned`,
  ]);
});

test('one number that cannot be repaired does not block the others', async () => {
  clock.set('2026-03-01T10:00:00.000Z');
  await leaveUnfinished('assigning', first, '2026-03-01T09:40:00.000Z');
  await leaveUnfinished('assigning', second, '2026-03-01T09:50:00.000Z');
  for (const broken of [first, second]) {
    before.detach = (carrier_sid) => {
      if (carrier_sid === broken.carrier_sid) throw refusal('detach');
    };
    await service.app.reconcile();
    if (broken === first) assert.deepEqual(await rows(), [{ phone_number: first.phone_number, state: 'assigning' }]);
    // It is tried again after a minute.
    clock.advance(61_000);
  }
  assert.deepEqual(await rows(), []);
});

test('a release between look-up and claim of a number does not lose its previous routing', async () => {
  const [holder, next] = [await createAgent(service), await createAgent(service)];
  await assign(holder, first.phone_number);
  before.findNumber = async () => {
    delete before.findNumber;
    assert.equal((await release(holder)).status, 200);
  };
  assert.equal((await assign(next, first.phone_number)).status, 200);
  assert.equal((await release(next)).status, 200);
  assert.deepEqual(await routingOf(first.phone_number), first.routing);
});

test('an assignment stands when only the response to its commit was lost, and can be released', async (t) => {
  const agent_id = await createAgent(service);
  const { db } = service.database;
  const begin = db.transaction.bind(db);
  const losing = () => ({
    execute: async (work: Parameters<ReturnType<typeof begin>['execute']>[0]) => {
      await begin().execute(work);
      throw new Error('Connection terminated unexpectedly');
    },
  });
  // The first claims the number, the second confirms it.
  t.mock.method(db, 'transaction').mock.mockImplementationOnce(losing as unknown as typeof begin, 1);
  assertRefused(await assign(agent_id, first.phone_number), 503, 'database_unavailable');
  assert.equal(await numberOf(agent_id), first.phone_number);
  assert.match((await routingOf(first.phone_number))?.trunk_sid ?? '', /^TK/);
  assert.equal((await release(agent_id)).status, 200);
  assert.deepEqual(await routingOf(first.phone_number), first.routing);
});
