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

test('a task has the prices of models by which the ledger books what the worker has no price of', async () => {
  const service = await served();
  const agent_id = await library(service);
  const price = (fields: Json) => ({
    provider: 'openai',
    event_type: 'llm_output_tokens',
    valid_from: '2026-01-01',
    price: '9',
    ...fields,
  });
  const long = '0.000000000000000001';
  const entries = [
    price({ price: '0.5' }),
    price({ model: 'm', price: '8' }),
    price({ model: 'm', valid_from: '2026-02-01', price: long }),
    price({ model: 'm', valid_from: '2999-01-01' }),
    price({ model: 'withdrawn' }),
    { ...price({ model: 'withdrawn', valid_from: '2026-02-01', is_withdrawn: true }), price: null },
    price({ model: 'by-direction', direction: 'WEB' }),
    price({ provider: 'twilio', event_type: 'telephony_minutes' }),
  ];
  const scenarios = [await save(service, scenario('one'))];
  await start(service, { agent_id, scenarios });
  const [free = assert.fail()] = await claim(service);
  assert.equal(free.payload.prices, undefined);
  assert.equal((await complete(service, free)).status, 200);
  assert.equal((await send(service, 'PUT', '/api/prices', { entries }, null)).status, 200);
  await start(service, { agent_id, scenarios });
  const [task = assert.fail()] = await claim(service);
  const of = { provider: 'openai', event_type: 'llm_output_tokens' };
  assert.deepEqual(task.payload.prices, [
    { ...of, model: 'm', price: long },
    { ...of, model: null, price: '0.5' },
  ]);
  // The same cost, whoever looks up the price.
  const bookedOf = async () => (await send(service, 'GET', '/api/costs/report?group_by=model&purpose=test')).body.items;
  const used = ['m', 'withdrawn', 'by-direction'].map((model) => tokens('3', { model }));
  const told = used.map((one) => ({ ...one, unit_cost: one.model === 'm' ? long : '0.5' }));
  assert.equal((await complete(service, task, { ...PASSED, used })).status, 200);
  const booked = await bookedOf();
  await start(service, { agent_id, scenarios });
  const [other = assert.fail()] = await claim(service);
  assert.equal((await complete(service, other, { ...PASSED, used: told })).status, 200);
  const twice = await bookedOf();
  const costs = (items: Json[]) => Object.fromEntries(items.map((one) => [one.model, one.total_cost]));
  assert.deepEqual(costs(booked), { m: '0.000000000000000003', withdrawn: '1.5', 'by-direction': '1.5' });
  assert.deepEqual(costs(twice), { m: '0.000000000000000006', withdrawn: '3', 'by-direction': '3' });
  await service.close();
});
