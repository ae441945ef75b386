import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startService } from '@switchboard/testkit/service.ts';
import { sql } from 'kysely';
import { LIMITS, outreach } from '../support/campaigns.ts';
import { createPlans } from '../support/plans.ts';
import { watchStatements } from '../support/statements.ts';

const ROWS = 10_000;

test('a turn, the counts and each list of a campaign read a few rows of many', async () => {
  const service = await startService({ env: LIMITS });
  const { db } = service.database;
  const { create, act, ok } = await outreach(service);
  const pacing = { max_concurrent: 5, per_minute: 60_000, reserve_for_others: 0 };
  const circuit = { failure_rate: 1, window_s: 3_600, min_calls: 1_000 };
  const [id, other] = [await create({ pacing, circuit, budget: '1000000' }), await create({ pacing })];
  for (const [campaign, place] of [
    [id, 0],
    [other, 1],
  ] as const)
    await sql`
      insert into campaign_recipients (id, campaign_id, user_id, external_id, phone_number, variables, state, attempts, next_at, created_at)
      select gen_random_uuid(), ${campaign}::uuid, 'user-1', i::text, '+1500555' || 1000 + i, '{"name":"' || repeat('word ', 30) || '"}',
        case when i % 3 = 0 then 'reached' else 'waiting' end, case when i % 3 = 0 then 1 else 0 end,
        case when i % 3 > 0 then now() - interval '1 hour' end, now()
      from generate_series(1, ${ROWS}::int) as i where ${place}::int >= 0`.execute(db);
  await sql`
    insert into campaign_attempts (recipient_id, attempt, campaign_id, call_id, started_at, ended_at, outcome)
    select id, 1, campaign_id, gen_random_uuid(), now(), now(), 'answered' from campaign_recipients where attempts = 1`.execute(
    db,
  );
  await sql`analyze`.execute(db);
  const sent = watchStatements(service.database);
  await act(id, 'start');
  await service.app.reconcile();
  assert.ok((await ok('GET', `/api/campaigns/${id}`)).recipients.waiting < ROWS);
  const { items } = await ok('GET', `/api/campaigns/${id}/recipients?limit=10`);
  for (const path of [
    '/api/campaigns',
    `/api/campaigns/${id}`,
    `/api/campaigns/${id}/stats`,
    `/api/campaigns/${id}/recipients?state=reached`,
    `/api/campaigns/${id}/recipients/${items[0].id}`,
  ])
    await ok('GET', path);
  const reading = sent.filter(
    (one) => /^\s*(--[^\n]*\n\s*)?(select|with due as \(\s*select \*)/.test(one.sql) && /campaign/.test(one.sql),
  );
  assert.ok(reading.length >= 12, `${reading.length} statements`);
  const { rowsRead } = createPlans(db);
  for (const statement of reading) {
    // The circuit looks at the last thousand calls.
    const most = statement.sql.includes('recent_campaign_outcomes') ? 2_100 : 500;
    const read = await rowsRead(statement);
    assert.ok(read < most, `${read} rows read by ${statement.sql}`);
  }
  await act(id, 'cancel');
  await service.close();
});
