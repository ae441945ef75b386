import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { createAgent } from '@switchboard/testkit/calls.ts';
import { openTestDatabase } from '@switchboard/testkit/database.ts';
import { startService } from '@switchboard/testkit/service.ts';
import { sql } from 'kysely';
import { createCallRollups } from '../../src/conversations/stats/rebuild.ts';
import { bucketOf } from '../../src/lib/histogram.ts';
import { callStats, endAll, openCalls } from '../support/ended-calls.ts';
import { watchStatements } from '../support/statements.ts';

test('calls that end together are counted in one statement', async () => {
  const database = await openTestDatabase();
  const own = await startService({ database });
  const ids = await openCalls(own, 'batch', [await createAgent(own, { user_id: 'batch' })], 60);
  const sent = watchStatements(database);
  await Promise.all(ids.map((id) => own.request('POST', `/api/calls/${id}/end`)));
  // Fewer than calls: how many share a transaction is a matter of how they arrive.
  const counting = sent.filter(({ sql: text }) => text.includes('call_rollups')).length;
  const changing = sent.filter(({ sql: text }) => text.includes('insert into session_events')).length;
  assert.ok(changing > 0 && counting === changing && counting < 60, `${counting} statements, ${changing} changes`);
  assert.equal((await callStats(own, '', 'batch')).total.calls, 60);
  await own.close();
  await database.close();
});

test('two replicas that end calls of the same users agree, and rebuilding meanwhile loses none', async () => {
  const database = await openTestDatabase();
  const replicas = [await startService({ database }), await startService({ database })] as const;
  const all: string[] = [];
  for (const user_id of ['a', 'b', 'c'])
    all.push(...(await openCalls(replicas[0], user_id, [await createAgent(replicas[0], { user_id })], 60)));
  const rollups = createCallRollups(database.db);
  const ending = Promise.all([
    endAll(
      replicas[0],
      all.filter((_, index) => index % 2 === 0),
    ),
    endAll(replicas[1], all.filter((_, index) => index % 2 === 1).reverse()),
  ]);
  for (let round = 0; round < 3; round++) await rollups.rebuild();
  await ending;
  assert.deepEqual(await rollups.verify(), []);
  assert.equal((await callStats(replicas[0], '')).total.calls, 180);
  for (const replica of replicas) await replica.close();
  await database.close();
});

test('wrong, missing and surplus rollups are found and rebuilt; an upgrade counts earlier calls', async () => {
  const own = await startService();
  const rollups = createCallRollups(own.database.db);
  for (const user_id of ['one', 'two', 'three'])
    await endAll(own, await openCalls(own, user_id, [await createAgent(own, { user_id })], 9));
  const before = await callStats(own, '?group_by=day,user,direction,end_reason');
  for (const damage of [
    sql`update call_rollups set total_ms = total_ms + 1 where user_id = 'one' and metric = 'talk'`,
    sql`delete from call_rollups where user_id = 'two' and direction = 'WEB'`,
    sql`insert into call_rollups values ('nobody', '2026-01-01', '', 'WEB', '', '', 'ring', 1, 1, 1)`,
  ])
    await damage.execute(own.database.db);
  assert.deepEqual(await rollups.verify(), ['nobody calls', 'one calls', 'two calls']);
  await rollups.rebuild();
  assert.deepEqual(await rollups.verify(), []);
  assert.deepEqual(await callStats(own, '?group_by=day,user,direction,end_reason'), before);
  await own.database.db.deleteFrom('call_rollups').execute();
  const migration = path.resolve(import.meta.dirname, '../../src/db/migrations/0010_call_rollups.sql');
  const [statement = ''] = /insert into call_rollups.*;/s.exec(readFileSync(migration, 'utf8')) ?? [];
  await sql.raw(statement).execute(own.database.db);
  assert.deepEqual(await rollups.verify(), []);
  assert.deepEqual(await callStats(own, '?group_by=day,user,direction,end_reason'), before);
});

test('an erasure takes the calls of a user out of the figures, and nothing of another', async () => {
  const own = await startService();
  for (const user_id of ['eve', 'other'])
    await endAll(own, await openCalls(own, user_id, [await createAgent(own, { user_id })], 20));
  const other = await callStats(own, '?group_by=day,end_reason', 'other');
  const erased = await own.request('DELETE', '/api/users/eve');
  assert.equal(erased.status, 200);
  for (const user of ['eve', erased.body.pseudonym]) assert.equal((await callStats(own, '', user)).total.calls, 0);
  assert.deepEqual(await callStats(own, '?group_by=day,end_reason', 'other'), other);
  assert.deepEqual((await callStats(own, '')).total, other.total);
  assert.deepEqual(await createCallRollups(own.database.db).verify(), []);
  const left = await own.database.db
    .selectFrom('call_rollups')
    .select('user_id')
    .where('user_id', '!=', 'other')
    .execute();
  assert.deepEqual(left, []);
});

test('the database and the process have the same buckets', async () => {
  const { db } = (await startService()).database;
  const values = [0, 1, 2, 3, 999, 1000, 1050, ...Array.from({ length: 3000 }, (_, n) => Math.round(1.011 ** n) + n)];
  const { rows } = await sql<{ bucket: number }>`
    select histogram_bucket(ms) as bucket from unnest(${values}::bigint[]) with ordinality as value (ms, place) order by place`.execute(
    db,
  );
  assert.deepEqual(
    rows.map(({ bucket }) => bucket),
    values.map(bucketOf),
  );
});
