import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createAgent, reaches, USER } from '@switchboard/testkit/calls.ts';
import { createTestClock } from '@switchboard/testkit/clock.ts';
import { openTestDatabase } from '@switchboard/testkit/database.ts';
import { type Service, startService } from '@switchboard/testkit/service.ts';
import { createSandboxMedia } from '../../src/providers/sandbox/media.ts';
import { assertRefused, problemsOf } from '../support/answers.ts';
import { logUsage } from '../support/usage.ts';

const PHONE = '+15005550100';
const GENEROUS = { CALLS_PER_SECOND: '1000', CALLS_BURST: '1000', CALLS_CONCURRENT: '1000' };
const RESERVES = { refuse_calls: true, cost_per_minute: '0.5', expected_minutes: 2 };

const put = async (of: Service, body: object) =>
  assert.equal((await of.request('PUT', `/api/budgets/${USER}`, { body })).status, 200);
const get = async (of: Service) => {
  const { spent, reserved } = (await of.request('GET', `/api/budgets/${USER}`)).body;
  return [spent, reserved];
};
const place = (of: Service, agent_id: string, more: object = {}) =>
  of.request('POST', '/api/calls/outbound', { user: USER, body: { agent_id, phone_number: PHONE, ...more } });
const spend = async (of: Service, total_cost: string, session_id?: string) =>
  assert.equal(
    (await logUsage(of, { user_id: USER, total_cost: `"${total_cost}"`, ...(session_id && { session_id }) })).status,
    201,
  );

test('of 200 calls at once on two replicas as many are placed as the budget covers, to the digit', async () => {
  const database = await openTestDatabase();
  const replicas = [
    await startService({ database, env: GENEROUS }),
    await startService({ database, env: GENEROUS }),
  ] as const;
  const [service] = replicas;
  const agent_id = await createAgent(service);
  await put(service, { monthly_limit: '20', ...RESERVES });
  await spend(service, '10.1');
  const answers = await Promise.all(
    Array.from({ length: 200 }, (_, index) => place(replicas[index % 2] as Service, agent_id)),
  );
  const placed = answers.filter(({ status }) => status === 201);
  assert.equal(placed.length, 9);
  for (const answer of answers) if (answer.status !== 201) assertRefused(answer, 402, 'budget_exceeded');
  assert.deepEqual(await get(service), ['10.1', '9']);
  for (const { body } of placed) {
    await spend(service, '1', body.call_id);
    await reaches(service, body.call_id, 'ANSWERED');
    await service.request('POST', `/api/calls/${body.call_id}/end`);
  }
  assert.deepEqual(await get(service), ['19.1', '0']);
  assertRefused(await place(service, agent_id), 402, 'budget_exceeded');
  // A shorter call is covered by what is left. It may last a minute longer than it should; minutes are billed whole.
  await put(service, { monthly_limit: '20', refuse_calls: true, cost_per_minute: '0.45', expected_minutes: 3 });
  for (const max_duration_s of [180, 61])
    assertRefused(await place(service, agent_id, { max_duration_s }), 402, 'budget_exceeded');
  assert.equal((await place(service, agent_id, { max_duration_s: 60 })).status, 201);
  assert.deepEqual(await get(service), ['19.1', '0.9']);
  for (const replica of replicas) await replica.close();
  await database.close();
});

test('what an open call has cost already is reserved no more, and its end releases the rest', async () => {
  const service = await startService({ env: GENEROUS });
  const agent_id = await createAgent(service);
  await put(service, { monthly_limit: '1.5', ...RESERVES });
  const { call_id } = (await place(service, agent_id)).body;
  await reaches(service, call_id, 'ANSWERED');
  assert.deepEqual(await get(service), ['0', '1']);
  await spend(service, '0.4', call_id);
  assert.deepEqual(await get(service), ['0.4', '0.6']);
  assertRefused(await place(service, agent_id), 402, 'budget_exceeded');
  const web = { user: USER, body: { agent_id } };
  assertRefused(await service.request('POST', '/api/calls/web', web), 402, 'budget_exceeded');
  await service.request('POST', `/api/calls/${call_id}/end`);
  await reaches(service, call_id, 'COMPLETED');
  assert.deepEqual(await get(service), ['0.4', '0']);
  assert.equal((await service.request('POST', '/api/calls/web', web)).status, 201);
  assert.deepEqual(await get(service), ['0.4', '1']);
});

test('a call that costs more than was reserved reserves nothing, and one without expected minutes its maximum duration and a minute', async () => {
  const service = await startService({ env: { ...GENEROUS, MAX_CALL_DURATION_S: '600' } });
  const agent_id = await createAgent(service);
  await put(service, { monthly_limit: '20', refuse_calls: true, cost_per_minute: '0.1' });
  const { call_id } = (await place(service, agent_id)).body;
  assert.deepEqual(await get(service), ['0', '1.1']);
  await spend(service, '1.100000000000000001', call_id);
  assert.deepEqual(await get(service), ['1.100000000000000001', '0']);
});

test('without a price a call reserves what calls cost on average, once twenty have ended', async () => {
  const service = await startService({ env: GENEROUS });
  const agent_id = await createAgent(service);
  await put(service, { monthly_limit: '12', refuse_calls: true });
  const call = async () => {
    const { call_id } = (await place(service, agent_id)).body;
    await reaches(service, call_id, 'ANSWERED');
    return call_id;
  };
  for (let ended = 0; ended < 20; ended++) {
    const call_id = await call();
    assert.deepEqual((await get(service))[1], '0');
    await spend(service, '0.5', call_id);
    await service.request('POST', `/api/calls/${call_id}/end`);
    await reaches(service, call_id, 'COMPLETED');
  }
  for (let open = 1; open <= 4; open++) {
    await call();
    assert.deepEqual(await get(service), ['10', String(open / 2)]);
  }
  assertRefused(await place(service, agent_id), 402, 'budget_exceeded');
});

for (const [about, next] of [
  ['last month', '2026-02-01T00:00:05Z'],
  ['the last twelve months', '2026-07-01T00:00:05Z'],
] as const)
  test(`on the first of a month a call reserves what those of ${about} cost on average`, async () => {
    const clock = createTestClock('2026-01-31T12:00:00Z');
    const database = await openTestDatabase();
    const media = createSandboxMedia({ clock, ringMs: 1 });
    const replicas = [
      await startService({ database, clock, media, env: GENEROUS }),
      await startService({ database, clock, env: GENEROUS }),
    ] as const;
    const [service] = replicas;
    const agent_id = await createAgent(service);
    await put(service, { monthly_limit: '12', refuse_calls: true });
    for (let ended = 0; ended < 20; ended++) {
      const { call_id } = (await place(service, agent_id)).body;
      await reaches(service, call_id, 'ANSWERED');
      await spend(service, '0.5', call_id);
      await service.request('POST', `/api/calls/${call_id}/end`);
      await reaches(service, call_id, 'COMPLETED');
    }
    clock.set(next);
    assert.deepEqual(await get(service), ['0', '0']);
    const answers = await Promise.all(
      Array.from({ length: 60 }, (_, index) => place(replicas[index % 2] as Service, agent_id)),
    );
    assert.equal(answers.filter(({ status }) => status === 201).length, 24);
    for (const answer of answers) if (answer.status !== 201) assertRefused(answer, 402, 'budget_exceeded');
    assert.deepEqual(await get(service), ['0', '12']);
    for (const replica of replicas) await replica.close();
    await database.close();
  });

test('an estimate must be possible', async () => {
  const service = await startService();
  for (const [wrong, problem] of [
    [{ cost_per_minute: '-1' }, 'body.cost_per_minute greater_than_equal'],
    [{ cost_per_minute: 'much' }, 'body.cost_per_minute decimal_parsing'],
    [{ expected_minutes: 0 }, 'body.expected_minutes greater_than_equal'],
  ] as const) {
    const body = { monthly_limit: '1', ...wrong };
    assert.deepEqual(problemsOf(await service.request('PUT', `/api/budgets/${USER}`, { body })), [problem]);
  }
});
