import assert from 'node:assert/strict';
import { test } from 'node:test';
import { USER } from '@switchboard/testkit/calls.ts';
import type { Json } from '@switchboard/testkit/client.ts';
import { problemsOf } from '../support/answers.ts';
import { claim, complete, library, PASSED, save, scenario, send, served, start } from '../support/tests.ts';

const MODEL = { provider: 'openai', model: 'm' };
const tokens = (quantity: string, more: Json = {}) => ({
  ...MODEL,
  event_type: 'llm_output_tokens',
  quantity,
  ...more,
});

test('usage of test runs is booked apart from calls: in reports that ask for it, and in no budget', async () => {
  const service = await served();
  const agent_id = await library(service);
  const scenarios = [await save(service, scenario('one')), await save(service, scenario('two'))];
  const price = {
    provider: 'openai',
    model: 'm',
    event_type: 'llm_output_tokens',
    price: '0.5',
    valid_from: '2026-01-01',
  };
  assert.equal((await send(service, 'PUT', '/api/prices', { entries: [price] }, null)).status, 200);
  const budget = { monthly_limit: '10' };
  assert.equal((await send(service, 'PUT', `/api/budgets/${USER}`, budget, null)).status, 200);
  await start(service, { agent_id, scenarios });
  const [one = assert.fail(), two = assert.fail()] = await claim(service);
  const unfit = await complete(service, one, { ...PASSED, used: [tokens('-1')] });
  assert.equal(unfit.status, 422);
  // By the worker's price, by the price book, and by neither.
  const used = [tokens('10', { unit_cost: '0.25' }), tokens('3'), { ...tokens('7'), provider: 'unknown' }];
  assert.equal((await complete(service, one, { ...PASSED, used })).status, 200);
  assert.equal((await complete(service, two, { ...PASSED, used: [tokens('2', { unit_cost: '1' })] })).status, 200);
  const called = { session_id: 'x', user_id: USER, agent_id, ...tokens('1'), unit_cost: '9', total_cost: '9' };
  assert.equal((await send(service, 'POST', '/api/usage/events/batch', { events: [called] })).status, 201);

  const report = async (query: string) =>
    (await send(service, 'GET', `/api/costs/report?group_by=provider${query}`)).body;
  const totals = async (query: string) => {
    const { total_cost, events, items } = await report(query);
    return [total_cost, events, items.length];
  };
  assert.deepEqual(await totals(''), ['9', 1, 1]);
  assert.deepEqual(await totals('&purpose=call'), ['9', 1, 1]);
  assert.deepEqual(await totals('&purpose=test'), ['6', 4, 2]);
  assert.deepEqual(await totals('&purpose=all'), ['15', 5, 2]);
  const tests = await report('&purpose=test&agent_version=1&event_type=llm_output_tokens');
  const of = (name: string) => tests.items.find(({ provider }: Json) => provider === name);
  assert.deepEqual([of('openai').quantity, of('openai').total_cost], ['15', '6']);
  assert.deepEqual([of('unknown').unpriced_events, tests.unpriced.events], [1, 1]);
  const first = await report('&purpose=all&limit=1');
  const next = await report(`&purpose=all&limit=1&cursor=${first.next_cursor}`);
  assert.equal(next.items.length, 1);
  const cursor = await send(service, 'GET', `/api/costs/report?group_by=provider&limit=1&cursor=${first.next_cursor}`);
  assert.equal(cursor.status, 422);
  const wrong = await send(service, 'GET', '/api/costs/report?group_by=provider&purpose=x');
  assert.deepEqual(problemsOf(wrong), ['query.purpose enum']);
  assert.equal((await send(service, 'GET', '/api/costs/summary')).body.total_cost, '9');
  assert.equal((await send(service, 'GET', `/api/budgets/${USER}`, undefined, null)).body.spent, '9');

  assert.equal((await send(service, 'DELETE', `/api/users/${USER}`, undefined, null)).status, 200);
  const { db } = service.database;
  const left = await db.selectFrom('test_usage_rollups').select(['user_id', 'total_cost']).execute();
  assert.ok(left.length === 2 && left.every(({ user_id }) => user_id !== USER));
  await service.close();
});
