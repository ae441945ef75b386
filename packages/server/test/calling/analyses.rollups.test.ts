import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { after, test } from 'node:test';
import { USER } from '@switchboard/testkit/calls.ts';
import type { Json } from '@switchboard/testkit/client.ts';
import { startService } from '@switchboard/testkit/service.ts';
import { sql } from 'kysely';
import { createAnalysisRollups } from '../../src/calling/analyses/rebuild.ts';
import { deleteStatsOf, deleteValuesOf } from '../../src/calling/analyses/values-store.ts';
import { AT_ONCE, analysed, analysing, endedCall, saveExtractor } from '../support/analyses.ts';
import { send } from '../support/tests.ts';

const service = await startService({ env: AT_ONCE });
after(() => service.close());
const { db } = service.database;
const rollups = createAnalysisRollups(db);

const FIELDS = ['outcome', 'guests', 'was_friendly', 'score', 'topics'];
/** The statistics of every field, as reports have them. */
const figures = async (): Promise<Json[]> => {
  const by = 'group_by=value,day,agent,agent_version,extractor';
  const asked = FIELDS.map((field) => send(service, 'GET', `/api/stats/analyses?field=${field}&${by}`));
  return (await Promise.all(asked)).map(({ body }) => body.groups);
};

test('statistics of analyses that are wrong, missing or left over are found and rebuilt', async () => {
  await saveExtractor(service, 'visit', { weights: { was_friendly: 3, guests: 1 } });
  const agent = await analysing(service, ['visit']);
  const calls: string[] = [];
  for (let call = 0; call < 4; call++) calls.push((await endedCall(service, agent)).call_id);
  for (const call of calls) await analysed(service, call);
  const before = await figures();
  assert.ok(before.every((groups) => groups.length > 0));
  assert.deepEqual(await rollups.verify(), []);

  // Values that are deleted with their transcripts go on counting.
  await db.transaction().execute((trx) => deleteValuesOf(trx, calls.slice(0, 2)));
  assert.equal((await sql`select from analysis_values where session_id = ${calls[0]}`.execute(db)).rows.length, 0);
  assert.deepEqual(await figures(), before);
  assert.deepEqual(await rollups.verify(), []);

  for (const damage of [
    sql`update analysis_rollups set total = total + 0.0001 where field = 'score'`,
    sql`update analysis_rollups set calls = calls + 1 where field = 'outcome'`,
    sql`insert into analysis_rollups (user_id, day, agent_id, agent_version, extractor, field, value, calls, total)
      values ('nobody', '2026-01-01', '', 0, 'x', 'outcome', 'booked', 1, 0)`,
  ])
    await damage.execute(db);
  assert.notDeepEqual(await figures(), before);
  assert.deepEqual(await rollups.verify(), ['nobody analyses', `${USER} analyses`].sort());
  await rollups.rebuild();
  assert.deepEqual(await rollups.verify(), []);
  assert.deepEqual(await figures(), before);
  const left = await db.selectFrom('analysis_rollups').selectAll().where('user_id', '=', 'nobody').execute();
  assert.deepEqual(left, []);
});

test('missing statistics of calls whose values are all there are rebuilt', async () => {
  await saveExtractor(service, 'new');
  const { call_id } = await endedCall(service, await analysing(service, ['new']));
  await analysed(service, call_id);
  const before = await figures();
  await sql`delete from analysis_rollups where extractor = 'new'`.execute(db);
  assert.notDeepEqual(await figures(), before);
  await rollups.rebuild();
  assert.deepEqual(await figures(), before);
});

test('an upgrade counts calls as gone whose values were deleted before', async () => {
  const agent = await analysing(service, ['new']);
  const calls = [(await endedCall(service, agent)).call_id, (await endedCall(service, agent)).call_id];
  for (const call of calls) await analysed(service, call);
  const before = await figures();
  await db
    .deleteFrom('analysis_values')
    .where('session_id', '=', calls[0] ?? '')
    .execute();
  await db.updateTable('analysis_rollups').set({ gone_calls: 0, gone_total: '0' }).execute();
  const file = path.resolve(import.meta.dirname, '../../src/db/migrations/0140_analysis_backfills_canceled.sql');
  const updates = readFileSync(file, 'utf8').match(/^update analysis_rollups[^;]*;/gm) ?? [];
  assert.equal(updates.length, 2);
  for (const update of updates) await sql.raw(update).execute(db);
  assert.deepEqual(await rollups.verify(), []);
  await rollups.rebuild();
  assert.deepEqual(await figures(), before);
});

test('values that are deleted after the statistics of their user leave none', async () => {
  const { call_id } = await endedCall(service, await analysing(service, ['new']));
  await analysed(service, call_id);
  await db.transaction().execute(async (trx) => {
    await deleteStatsOf(trx, USER);
    await deleteValuesOf(trx, [call_id]);
  });
  assert.deepEqual(await db.selectFrom('analysis_rollups').selectAll().where('user_id', '=', USER).execute(), []);
});
