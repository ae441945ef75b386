import assert from 'node:assert/strict';
import { test } from 'node:test';
import { answeredCall, USER } from '@switchboard/testkit/calls.ts';
import { createTestClock } from '@switchboard/testkit/clock.ts';
import { openTestDatabase } from '@switchboard/testkit/database.ts';
import { startService } from '@switchboard/testkit/service.ts';
import { sql } from 'kysely';
import { logUsage } from '../support/usage.ts';

test('a threshold that is reached in the last seconds of a month, or while nothing runs, is reported a day later at most', async () => {
  const clock = createTestClock();
  clock.set('2026-01-31T23:59:58Z');
  const database = await openTestDatabase();
  const service = await startService({ database, clock });
  const put = (user: string, budget: object) => service.request('PUT', `/api/budgets/${user}`, { body: budget });
  await put(USER, { monthly_limit: '1', thresholds: [80, 100], end_calls: true });
  for (const user_id of [USER, 'new'])
    assert.equal((await logUsage(service, { user_id, total_cost: '1' })).status, 201);
  clock.set('2026-02-01T00:00:02Z');
  const { call_id } = await answeredCall(service);
  await put('new', { monthly_limit: '1', thresholds: [100] });
  for (let round = 0; round < 2; round++) await service.app.reconcile();
  const recorded = await sql`
    select user_id, to_char(month, 'YYYY-MM') as month, percent from budget_thresholds order by percent`.execute(
    database.db,
  );
  assert.deepEqual(
    recorded.rows,
    [80, 100].map((percent) => ({ user_id: USER, month: '2026-01', percent })),
  );
  const { status } = (await service.request('GET', `/api/calls/${call_id}/status`, { user: USER })).body;
  assert.equal(status, 'ACTIVE');
  await service.close();
  await database.close();
});

for (const [what, limit, next, reported] of [
  [
    'a limit that is raised on the first of a month keeps what was reached in the month before',
    '1',
    '1.1',
    ['2026-01'],
  ],
  ['a limit that is lowered on the first of a month says nothing of the month before', '2', '1', []],
] as const) {
  test(what, async () => {
    const clock = createTestClock();
    clock.set('2026-01-31T23:59:58Z');
    const service = await startService({ clock });
    const put = (monthly_limit: string) =>
      service.request('PUT', `/api/budgets/${USER}`, { body: { monthly_limit, thresholds: [80] } });
    await put(limit);
    assert.equal((await logUsage(service, { user_id: USER, total_cost: '1' })).status, 201);
    clock.set('2026-02-01T00:00:02Z');
    assert.equal((await put(next)).body.updated_at, '2026-02-01T00:00:02.000Z');
    await service.app.reconcile();
    const { rows } = await sql<{
      month: string;
    }>`select to_char(month, 'YYYY-MM') as month from budget_thresholds`.execute(service.database.db);
    assert.deepEqual(
      rows.map(({ month }) => month),
      reported,
    );
    await service.close();
  });
}
