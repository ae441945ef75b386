import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createTestClock } from '@switchboard/testkit/clock.ts';
import { startService } from '@switchboard/testkit/service.ts';
import { problemsOf } from '../support/answers.ts';
import { logUsage } from '../support/usage.ts';

const clock = createTestClock('2026-01-01T00:00:00.000Z');
const service = await startService({ clock });
const user = 'user-1';

// 2026-01-05 is a Monday. Powers of two: any sum tells which events are in it.
const EVENTS: [time: string, total_cost: string, provider: string][] = [
  ['2025-12-31T23:59:59.999Z', '1', 'openai'],
  ['2026-01-01T00:00:00.000Z', '2', 'openai'],
  ['2026-01-04T23:59:59.999Z', '4', 'deepgram'],
  ['2026-01-05T00:00:00.000Z', '8', 'deepgram'],
  ['2026-01-05T23:59:59.999Z', '16', 'openai'],
  ['2026-02-28T12:00:00.000Z', '32', 'openai'],
  ['2026-03-01T00:00:00.000Z', '64', 'openai'],
];
// Not in their order: the report sorts.
for (const [time, total_cost, provider] of [...EVENTS].reverse()) {
  clock.set(time);
  assert.equal((await logUsage(service, { user_id: user, provider, total_cost })).status, 201);
  await logUsage(service, { user_id: 'somebody else', total_cost: '1024' });
}

async function timeline(query = ''): Promise<Record<string, string>> {
  const { status, body } = await service.request('GET', `/api/costs/timeline${query}`, { user });
  assert.equal(status, 200, JSON.stringify(body));
  const dates = body.map(({ date }: { date: string }) => date);
  assert.deepEqual(dates, [...dates].sort(), 'ascending');
  return Object.fromEntries(
    body.map(({ date, total_cost }: { date: string; total_cost: string }) => [date, total_cost]),
  );
}

const DAILY = {
  '2025-12-31': '1',
  '2026-01-01': '2',
  '2026-01-04': '4',
  '2026-01-05': '24',
  '2026-02-28': '32',
  '2026-03-01': '64',
};

test('daily is a day in UTC, days without events are left out, and it is the default', async () => {
  assert.deepEqual(await timeline('?period=daily'), DAILY);
  assert.deepEqual(await timeline(), DAILY);
});

test('a week starts on Monday and is named by it', async () => {
  assert.deepEqual(await timeline('?period=weekly'), {
    '2025-12-29': '7',
    '2026-01-05': '24',
    '2026-02-23': '96',
  });
});

test('a month is named by its first day', async () => {
  assert.deepEqual(await timeline('?period=monthly'), {
    '2025-12-01': '1',
    '2026-01-01': '30',
    '2026-02-01': '32',
    '2026-03-01': '64',
  });
});

test('each period has its costs by provider', async () => {
  const { body } = await service.request('GET', '/api/costs/timeline?period=monthly&end_date=2026-01-31', { user });
  assert.deepEqual(body, [
    { date: '2025-12-01', total_cost: '1', by_provider: { openai: '1' } },
    { date: '2026-01-01', total_cost: '30', by_provider: { deepgram: '12', openai: '18' } },
  ]);
});

test('start_date and end_date are inclusive, each alone or both', async () => {
  assert.deepEqual(await timeline('?start_date=2026-01-05'), {
    '2026-01-05': '24',
    '2026-02-28': '32',
    '2026-03-01': '64',
  });
  assert.deepEqual(await timeline('?end_date=2026-01-04'), { '2025-12-31': '1', '2026-01-01': '2', '2026-01-04': '4' });
  assert.deepEqual(await timeline('?start_date=2026-01-05&end_date=2026-01-05'), { '2026-01-05': '24' });
  assert.deepEqual(await timeline('?start_date=2026-01-06&end_date=2026-02-27'), {});
});

test('dates may split a week or a month: only days inside the range count, under the period’s first day', async () => {
  assert.deepEqual(await timeline('?period=weekly&start_date=2026-01-01&end_date=2026-01-04'), { '2025-12-29': '6' });
  assert.deepEqual(await timeline('?period=monthly&start_date=2026-01-05&end_date=2026-02-28'), {
    '2026-01-01': '24',
    '2026-02-01': '32',
  });
});

test('the earliest and latest possible dates leave nothing out', async () => {
  assert.deepEqual(await timeline('?start_date=0001-01-01'), DAILY);
  assert.deepEqual(await timeline('?end_date=9999-12-31'), DAILY);
});

const REFUSED: [query: string, ...problems: string[]][] = [
  ['period=hourly', 'query.period string_pattern_mismatch'],
  ['period=', 'query.period string_pattern_mismatch'],
  ['period=daily%0A', 'query.period string_pattern_mismatch'],
  ['period=Daily', 'query.period string_pattern_mismatch'],
  ['start_date=yesterday', 'query.start_date date_parsing'],
  ['start_date=2026-02-30', 'query.start_date date_parsing'],
  ['start_date=2026-1-5', 'query.start_date date_parsing'],
  ['start_date=2026-01-05T00:00:00Z', 'query.start_date date_parsing'],
  ['start_date=', 'query.start_date date_parsing'],
  ['end_date=20260105', 'query.end_date date_parsing'],
  ['start_date=0000-01-01', 'query.start_date date_parsing'],
  ['colour=blue', 'query.colour extra_forbidden'],
  ['agent_id=a&period=daily', 'query.agent_id extra_forbidden'],
  ['start_date=2026-01-05&end_date=2026-01-04', 'query.end_date date_before_start'],
  [
    'period=x&start_date=x&end_date=x',
    'query.end_date date_parsing',
    'query.period string_pattern_mismatch',
    'query.start_date date_parsing',
  ],
];
for (const [query, ...problems] of REFUSED) {
  test(`?${query} is refused: ${problems.join(', ')}`, async () => {
    assert.deepEqual(problemsOf(await service.request('GET', `/api/costs/timeline?${query}`, { user })), problems);
  });
}

test('an unknown period is answered with the allowed ones', async () => {
  const { body } = await service.request('GET', '/api/costs/timeline?period=month', { user });
  assert.equal(body.detail[0].msg, 'Input should be daily, weekly, or monthly');
});
