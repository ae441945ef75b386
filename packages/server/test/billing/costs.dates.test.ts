import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createTestClock } from '@switchboard/testkit/clock.ts';
import { startService } from '@switchboard/testkit/service.ts';
import { problemsOf } from '../support/answers.ts';
import { logUsage } from '../support/usage.ts';

const clock = createTestClock('2026-03-01T00:00:00.000Z');
const service = await startService({ clock });
const user = 'user-1';

// Powers of two: any sum tells which events are in it. A session goes on past midnight.
const EVENTS: [time: string, total_cost: string, provider: string, agent_id: string, session_id: string][] = [
  ['2026-01-31T23:59:59.999Z', '1', 'openai', 'a', 's1'],
  ['2026-02-01T00:00:00.000Z', '2', 'openai', 'a', 's1'],
  ['2026-02-01T12:00:00.000Z', '4', 'deepgram', 'b', 's2'],
  ['2026-02-02T00:00:00.000Z', '8', 'openai', 'a', 's3'],
  ['2026-02-28T23:59:59.999Z', '16', 'cartesia', 'a', 's3'],
  ['2026-03-01T00:00:00.000Z', '32', 'openai', 'b', 's4'],
];
for (const [time, total_cost, provider, agent_id, session_id] of EVENTS) {
  clock.set(time);
  const fields = { provider, total_cost, agent_id, session_id };
  assert.equal((await logUsage(service, { user_id: user, ...fields })).status, 201);
  await logUsage(service, { user_id: 'somebody else', ...fields, total_cost: '1024' });
}
clock.set('2026-03-15T12:00:00.000Z');

async function report(name: string, query = '') {
  const { status, body } = await service.request('GET', `/api/costs/${name}${query}`, { user });
  assert.equal(status, 200, JSON.stringify(body));
  return body;
}

const agent = (agent_id: string, total_cost: string, session_count: number, event_count: number) => ({
  agent_id,
  agent_name: 'Unknown',
  total_cost,
  session_count,
  event_count,
});

test('a summary with dates has the costs of those days; this month stays the calendar month', async () => {
  assert.deepEqual(await report('summary', '?start_date=2026-02-01&end_date=2026-02-28'), {
    total_cost: '30',
    this_month_cost: '32',
    by_provider: { cartesia: '16', deepgram: '4', openai: '10' },
  });
  assert.deepEqual(await report('summary', '?start_date=2026-02-02'), {
    total_cost: '56',
    this_month_cost: '32',
    by_provider: { cartesia: '16', openai: '40' },
  });
  assert.deepEqual(await report('summary', '?end_date=2026-01-31'), {
    total_cost: '1',
    this_month_cost: '32',
    by_provider: { openai: '1' },
  });
  assert.deepEqual(await report('summary', '?start_date=2025-01-01&end_date=2025-12-31'), {
    total_cost: '0',
    this_month_cost: '32',
    by_provider: {},
  });
  assert.equal((await report('summary')).total_cost, '63');
});

test('costs by agent with dates have the costs, sessions and events of those days', async () => {
  assert.deepEqual(await report('by-agent'), [agent('b', '36', 2, 2), agent('a', '27', 2, 4)]);
  assert.deepEqual(await report('by-agent', '?start_date=2026-02-01&end_date=2026-02-01'), [
    agent('b', '4', 1, 1),
    agent('a', '2', 1, 1),
  ]);
  // Both of its days are in it, and the session is one.
  assert.deepEqual(await report('by-agent', '?end_date=2026-02-01'), [agent('b', '4', 1, 1), agent('a', '3', 1, 2)]);
  assert.deepEqual(await report('by-agent', '?start_date=2026-02-02'), [
    agent('b', '32', 1, 1),
    agent('a', '24', 1, 2),
  ]);
  assert.deepEqual(await report('by-agent', '?start_date=2026-02-03&end_date=2026-02-27'), []);
});

for (const name of ['summary', 'by-agent']) {
  test(`the ${name} report refuses invalid dates, dates in the wrong order, and unknown parameters`, async () => {
    const refused = async (query: string) =>
      problemsOf(await service.request('GET', `/api/costs/${name}?${query}`, { user }));
    assert.deepEqual(await refused('start_date=yesterday&end_date=2026-2-1'), [
      'query.end_date date_parsing',
      'query.start_date date_parsing',
    ]);
    assert.deepEqual(await refused('start_date=2026-02-02&end_date=2026-02-01'), ['query.end_date date_before_start']);
    assert.deepEqual(await refused('period=daily'), ['query.period extra_forbidden']);
    assert.deepEqual(await refused('from=2026-02-01'), ['query.from extra_forbidden']);
  });
}
