import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createAgent, USER } from '@switchboard/testkit/calls.ts';
import { scaled, sum } from '@switchboard/testkit/decimals.ts';
import { type Service, startService } from '@switchboard/testkit/service.ts';
import { MAX_AGENTS_LISTED, MAX_PROVIDERS, MAX_PROVIDERS_OF_TIMELINE } from '../../src/billing/costs/store.ts';

const BATCH = 1_000;
const event = { user_id: USER, session_id: 's', event_type: 'llm_tokens', quantity: '1', unit_cost: '0' };

async function log({ request }: Pick<Service, 'request'>, events: object[]): Promise<void> {
  for (let from = 0; from < events.length; from += BATCH) {
    const body = { events: events.slice(from, from + BATCH) };
    assert.equal((await request('POST', '/api/usage/events/batch', { body })).status, 201);
  }
}

/** Amounts with many digits, each larger than the one before. */
const amount = (index: number) => `${index + 1}.00000000000000000${index % 10}`;
const range = (count: number) => Array.from({ length: count }, (_, index) => index);
const total = sum;

test('reports name the providers that cost most, and sum up the others to the digit', async () => {
  const service = await startService();
  const session = await service.request('POST', '/api/sessions/', { body: { user_id: USER } });
  const count = MAX_PROVIDERS + 500;
  const events = range(count).map((index) => ({
    ...event,
    session_id: session.body.id,
    provider: index === 0 ? 'other' : `p${index}`,
    total_cost: amount(index),
  }));
  await log(service, events);
  const amounts = events.map(({ total_cost }) => total_cost);
  const get = async (path: string) => (await service.request('GET', path, { user: USER })).body;
  const check = (costs: Record<string, string>, named: number) => {
    const { other = '', ...rest } = costs;
    assert.equal(Object.keys(rest).length, named);
    assert.equal(scaled(other), total(amounts.slice(0, count - named)));
    assert.equal(scaled(costs[`p${count - 1}`] ?? ''), scaled(amounts.at(-1) ?? ''));
  };
  const summary = await get('/api/costs/summary');
  check(summary.by_provider, MAX_PROVIDERS);
  assert.equal(scaled(summary.total_cost), total(amounts));
  assert.equal(scaled(summary.this_month_cost), total(amounts));
  const [today, ...others] = await get('/api/costs/timeline');
  assert.deepEqual(others, []);
  check(today.by_provider, MAX_PROVIDERS_OF_TIMELINE);
  assert.equal(scaled(today.total_cost), total(amounts));
  const ofSession = await get(`/api/sessions/${session.body.id}/costs?limit=1`);
  check(ofSession.by_provider, MAX_PROVIDERS);
  assert.equal(scaled(ofSession.total_cost), total(amounts));
});

test('of many agents that are none the cheapest are summed up; those of the user are listed', async () => {
  const service = await startService();
  const agent_id = await createAgent(service);
  const events = range(MAX_AGENTS_LISTED + 100).map((index) => ({
    ...event,
    provider: 'openai',
    agent_id: `a${index}`,
    total_cost: amount(index),
  }));
  const own = { ...event, provider: 'openai', agent_id, total_cost: '0.5' };
  await log(service, [...events, own]);
  const { body } = await service.request('GET', '/api/costs/by-agent', { user: USER });
  assert.equal(body.length, MAX_AGENTS_LISTED + 1);
  const find = (id: string) => body.find((row: { agent_id: string }) => row.agent_id === id);
  assert.deepEqual(find(agent_id), {
    agent_id,
    agent_name: 'Front desk',
    total_cost: '0.5',
    session_count: 1,
    event_count: 1,
  });
  const rest = events.slice(0, 101).map(({ total_cost }) => total_cost);
  const { total_cost, ...other } = find('other');
  assert.deepEqual(other, { agent_id: 'other', agent_name: 'Other agents', session_count: 101, event_count: 101 });
  assert.equal(scaled(total_cost), total(rest));
  assert.equal(
    total(body.map((row: { total_cost: string }) => row.total_cost)),
    total([...events, own].map((one) => one.total_cost)),
  );
});
