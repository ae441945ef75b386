import assert from 'node:assert/strict';
import { test } from 'node:test';
import { answeredCall, createAgent, reaches, USER } from '@switchboard/testkit/calls.ts';
import type { Json } from '@switchboard/testkit/client.ts';
import { eventually } from '@switchboard/testkit/eventually.ts';
import { startReceiver } from '@switchboard/testkit/receiver.ts';
import type { Service } from '@switchboard/testkit/service.ts';
import { assertRefused } from '../support/answers.ts';
import { watchStatements } from '../support/statements.ts';
import { claim, complete, library, PASSED, resultsOf, save, scenario, send, served, start } from '../support/tests.ts';
import { logUsage } from '../support/usage.ts';

const GENEROUS = { CALLS_PER_SECOND: '1000', CALLS_BURST: '1000', CALLS_CONCURRENT: '1000' };
const PHONE = '+15005550100';

/** A result whose conversations have cost so much. */
const costing = (unit_cost: string): Json => ({
  ...PASSED,
  used: [{ provider: 'openai', model: 'm', event_type: 'llm_output_tokens', quantity: '1', unit_cost }],
});
const setBudget = async (service: Service, fields: Json) =>
  assert.equal((await send(service, 'PUT', `/api/budgets/${USER}`, fields, null)).status, 200);
const spentOf = async (service: Service) => (await send(service, 'GET', `/api/budgets/${USER}`, undefined, null)).body;
const get = async (service: Service, { id }: Json) => (await send(service, 'GET', `/api/test-runs/${id}`)).body;
const attempt = (service: Service, fields: Json) =>
  send(service, 'POST', '/api/test-runs', { agent_version: 1, ...fields });

/** Runs one scenario that costs so much. */
async function spendOnTests(service: Service, fields: Json, cost: string): Promise<void> {
  await start(service, fields);
  const [task = assert.fail()] = await claim(service);
  assert.equal((await complete(service, task, costing(cost))).status, 200);
}

test('a budget that is asked to counts test runs, and starts none once it is spent', async () => {
  const service = await served();
  const agent_id = await library(service);
  const run = { agent_id, scenarios: [await save(service, scenario('one'))] };
  await setBudget(service, { monthly_limit: '10' });
  await spendOnTests(service, run, '9');
  assert.equal((await logUsage(service, { user_id: USER, total_cost: '"0.5"' })).status, 201);
  assert.deepEqual([(await spentOf(service)).spent, (await spentOf(service)).count_tests], ['0.5', false]);
  await setBudget(service, { monthly_limit: '10', count_tests: true });
  assert.equal((await spentOf(service)).spent, '9.5');
  // The costs of calls and of tests reach the limit together.
  await spendOnTests(service, run, '0.5');
  assert.equal((await spentOf(service)).spent, '10');
  const refused = await attempt(service, run);
  assertRefused(refused, 402, 'budget_exceeded');
  assert.match(refused.body.detail, /counts test runs/);
  assert.equal((await send(service, 'GET', '/api/test-runs')).body.items.length, 2);

  // No conversation is read for a run that may not begin.
  const chat = (await send(service, 'POST', '/api/chats', { agent_id })).body;
  const sent = watchStatements(service.database);
  const replay = await send(service, 'POST', `/api/calls/${chat.chat_id}/replay`, { agent_version: 1 });
  assertRefused(replay, 402, 'budget_exceeded');
  assertRefused(await attempt(service, { agent_id, calls: { q: 'hello' } }), 402, 'budget_exceeded');
  assert.deepEqual(
    sent.filter(({ sql }) => /transcripts|calls_with_words/.test(sql)),
    [],
  );

  for (const fields of [
    { monthly_limit: '10' },
    { monthly_limit: null, count_tests: true },
    { monthly_limit: '10.01', count_tests: true },
  ]) {
    await setBudget(service, fields);
    const { status, body } = await attempt(service, run);
    assert.equal(status, 201, JSON.stringify(fields));
    await send(service, 'POST', `/api/test-runs/${body.id}/cancel`);
  }
  await service.close();
});

test('a conversation that was begun is held to its end and booked; what nobody has begun then says why it has no result', async () => {
  const receiver = await startReceiver();
  const service = await served();
  const endpoint = { url: `${receiver.url}/ends`, events: ['test_run.finished'] };
  assert.equal((await send(service, 'POST', '/api/webhook-endpoints', endpoint)).status, 201);
  const agent_id = await library(service);
  const scenarios = await Promise.all(['one', 'two', 'three'].map((name) => save(service, scenario(name))));
  await setBudget(service, { monthly_limit: '10', count_tests: true });
  const run = await start(service, { agent_id, scenarios });
  const [one = assert.fail(), two = assert.fail(), ...others] = await claim(service, { capacity: 2 });
  assert.deepEqual(others, []);
  assert.equal((await complete(service, one, costing('10'))).status, 200);
  // The last one is dropped when a worker asks for it.
  assert.deepEqual(await claim(service), []);
  const [, open, dropped = assert.fail()] = await resultsOf(service, run);
  assert.deepEqual([open?.status, dropped.status, dropped.invalid], ['running', 'invalid', 1]);
  assert.match(dropped.error, /monthly budget.* was used up before this scenario started/);
  assert.equal((await get(service, run)).status, 'running');

  // Its worker has died: another one holds it.
  await service.database.db
    .updateTable('work')
    .set({ leased_until: new Date(0) })
    .where('id', '=', two.task_id)
    .execute();
  const [again = assert.fail()] = await claim(service);
  assert.equal((await complete(service, again, costing('2'))).status, 200);
  const last = await get(service, run);
  assert.deepEqual([last.status, last.passed, last.invalid], ['invalid', 2, 1]);
  assert.equal((await spentOf(service)).spent, '12');
  const [told] = await eventually(
    async () => receiver.at('/ends'),
    ({ length }) => length > 0,
  );
  assert.equal(JSON.parse(told?.body ?? '').data.status, 'invalid');
  // A higher limit lets the same be run again.
  await setBudget(service, { monthly_limit: '20', count_tests: true });
  assert.equal((await attempt(service, { agent_id, scenarios })).status, 201);
  assert.equal((await claim(service)).length, 3);
  await receiver.close();
  await service.close();
});

test('what tests cost reaches thresholds and refuses calls of a budget that counts them, and makes no call dearer', async () => {
  const service = await served(GENEROUS);
  const agent_id = await createAgent(service, { config: { instructions: 'We open at ten.' } });
  for (let ended = 0; ended < 20; ended++) {
    const { call_id } = await answeredCall(service, { agent_id });
    const usage = { user_id: USER, session_id: call_id, total_cost: '"0.5"' };
    assert.equal((await logUsage(service, usage)).status, 201);
    await service.request('POST', `/api/calls/${call_id}/end`);
    await reaches(service, call_id, 'COMPLETED');
  }
  await setBudget(service, { monthly_limit: '30', thresholds: [50, 100], refuse_calls: true, count_tests: true });
  await spendOnTests(service, { agent_id, scenarios: [await save(service, scenario('one'))] }, '10');
  await service.app.reconcile();
  assert.deepEqual((await spentOf(service)).reached, [50]);
  const place = () => send(service, 'POST', '/api/calls/outbound', { agent_id, phone_number: PHONE });
  assert.equal((await place()).status, 201);
  // Reserved by what calls have cost alone: 10 for 20 of them.
  assert.deepEqual([(await spentOf(service)).spent, (await spentOf(service)).reserved], ['20', '0.5']);
  await spendOnTests(service, { agent_id, scenarios: [await save(service, scenario('one'))] }, '9.5');
  assertRefused(await place(), 402, 'budget_exceeded');
  await service.close();
});
