import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type RequestOptions, type Service, startService } from '@switchboard/testkit/service.ts';
import { sql } from 'kysely';
import { BUSY } from '../../support/many-rows.ts';
import { isPlanned } from '../../support/plans.ts';
import { database, rowsRead, scannedBy, sent } from './filled.ts';
// Modules that wait are evaluated beside each other, unless one imports the other.
import './lists.ts';

/** A service, closed after the test: `lists.ts` looks at the work that begins with its own, and either could do it. */
const start = () => startService({ database, env: { LOG_LEVEL: 'silent' } });
const { rows } = await sql<{ session_id: string }>`
  select session_id from analysis_values where user_id = ${BUSY} order by session_id desc limit 1`.execute(database.db);
const call = rows[0]?.session_id ?? '';

function createSentBy(service: Service) {
  return async (path: string, options: RequestOptions = {}, method = 'GET') => {
    const before = sent.length;
    const { status, body } = await service.request(method, path, options);
    assert.ok(status < 300, `${path}: ${status} ${JSON.stringify(body)}`);
    return sent.slice(before).filter(isPlanned);
  };
}

const cursor = Buffer.from(call).toString('base64url');
const place = Buffer.from(JSON.stringify([40, '40', call])).toString('base64url');

test('calls are found and sorted by values of analyses through an index, however many calls there are', async () => {
  const sentBy = createSentBy(await start());
  for (const query of [
    'analysis.outcome=booked',
    'analysis.outcome=rare',
    `analysis.outcome=booked&cursor=${cursor}`,
    'analysis.outcome=rare&analysis.score=7',
    'sort=analysis.score',
    'sort=-analysis.score',
    `sort=-analysis.score&cursor=${place}`,
  ])
    for (const options of [{ user: BUSY }, {}]) {
      const statements = await sentBy(`/api/calls/?limit=20&${query}`, options);
      assert.deepEqual(await scannedBy(statements), [], query);
      const page = statements.find((one) => one.sql.includes('analysis_values')) ?? assert.fail(query);
      const read = await rowsRead(page);
      assert.ok(read <= 2_000, `${query}: ${read} rows read`);
    }
});

test('lists and statistics of analyses scan no table', async () => {
  const sentBy = createSentBy(await start());
  const user = 'user-7';
  const statements = [
    ...(await sentBy('/api/stats/analyses?field=outcome', { user })),
    ...(await sentBy('/api/stats/analyses?field=outcome&start_date=2026-01-10&end_date=2026-01-12')),
    ...(await sentBy(`/api/calls/${call}/analyses`)),
    ...(await sentBy('/api/analyses/backfills', { user })),
    ...(await sentBy('/api/calls/?include=analysis', { user })),
    ...(await sentBy('/api/extractors?limit=20', { user })),
    ...(await sentBy(`/api/extractors?limit=20&cursor=${cursor}`, { user })),
  ];
  assert.deepEqual(await scannedBy(statements), []);
});
