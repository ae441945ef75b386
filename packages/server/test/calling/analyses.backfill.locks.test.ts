import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createAgent, USER } from '@switchboard/testkit/calls.ts';
import { eventually } from '@switchboard/testkit/eventually.ts';
import { sql } from 'kysely';
import { createAnalysisRollups } from '../../src/calling/analyses/rebuild.ts';
import { lockStats } from '../../src/calling/analyses/values-store.ts';
import type { Db } from '../../src/db/tables.ts';
import { analysesOf, claim, complete, endedCall, next, resultOf, saveExtractor, served } from '../support/analyses.ts';
import { send } from '../support/tests.ts';

// The embedded database has one connection: no two transactions are open at a time.
if (process.env.TEST_DATABASE_URL) {
  test('a backfill waits for an erasure of its call, and the erasure not for the backfill', async () => {
    const service = await served();
    const { db, conflicts } = service.database;
    const { call_id } = await endedCall(service, await createAgent(service));
    await saveExtractor(service, 'outcome');
    const backfill = { extractor: 'outcome', filter: {}, estimate: false };
    let begun: ReturnType<typeof send> | undefined;
    await db.transaction().execute(async (trx) => {
      await trx.selectFrom('sessions').select('id').where('id', '=', call_id).forUpdate().execute();
      begun ??= send(service, 'POST', '/api/analyses/backfill', backfill);
      const waiting = sql<{ count: number }>`select count(*)::integer as count
        from pg_stat_activity, analysis_backfills
        where datname = current_database() and wait_event_type = 'Lock'`;
      await eventually(
        async () => (await waiting.execute(trx)).rows[0]?.count ?? 0,
        (count) => count > 0,
      );
      // As the erasure counts an analysis of the call that is not made.
      await trx
        .updateTable('analysis_backfills')
        .set({ failed: sql<number>`failed` })
        .where('user_id', '=', USER)
        .execute();
    });
    assert.equal((await begun)?.status, 201);
    await eventually(
      () => analysesOf(service, call_id),
      ({ length }) => length === 1,
    );
    assert.equal(conflicts().deadlock.repeated, 0);
  });

  test('an analysis that is asked for while its backfill is being canceled is made', async () => {
    const service = await served();
    const { db, conflicts } = service.database;
    const { call_id } = await endedCall(service, await createAgent(service));
    await saveExtractor(service, 'outcome');
    const backfill = { extractor: 'outcome', filter: {}, estimate: false };
    const { backfill_id } = (await send(service, 'POST', '/api/analyses/backfill', backfill)).body;
    await eventually(
      () => analysesOf(service, call_id),
      ({ length }) => length === 1,
    );
    // As a request leaves it that dies between the two steps of canceling.
    const stopped = { state: 'canceled' as const, is_scanned: true, ended_at: new Date() };
    await db.updateTable('analysis_backfills').set(stopped).execute();
    const answers: ReturnType<typeof send>[] = [];
    await db.transaction().execute(async (trx) => {
      await sql`select from analysis_backfills for update`.execute(trx);
      answers.push(send(service, 'POST', `/api/calls/${call_id}/analyses`, { extractors: ['outcome'] }));
      await untilWaiting(trx, 1);
      answers.push(send(service, 'POST', `/api/analyses/backfills/${backfill_id}/cancel`));
      await untilWaiting(trx, 2);
    });
    const [asked, canceled] = await Promise.all(answers);
    assert.deepEqual([asked?.status, canceled?.status, canceled?.body.queued], [202, 200, 0]);
    assert.equal((await next(service)).payload.call_id, call_id);
    assert.equal(conflicts().deadlock.repeated, 0);
  });

  test('of two versions of an extractor that end at once one leaves its values', async () => {
    const service = await served();
    const { db, conflicts } = service.database;
    const { call_id, lines } = await endedCall(service, await createAgent(service));
    for (const instructions of ['Once.', 'Twice.']) await saveExtractor(service, 'visit', { instructions });
    await send(service, 'POST', `/api/calls/${call_id}/analyses`, { extractors: ['visit@1', 'visit@2'] });
    const tasks = await claim(service, { capacity: 2 });
    assert.equal(tasks.length, 2);
    const [ends, values]: [ReturnType<typeof complete>[], string[]] = [[], ['booked', 'moved']];
    await db.transaction().execute(async (trx) => {
      await lockStats(trx);
      for (const [index, task] of tasks.entries())
        ends.push(complete(service, task, resultOf({ outcome: values[index] }, lines[0])));
      await untilWaiting(trx, 2);
    });
    for (const { status } of await Promise.all(ends)) assert.equal(status, 200);
    const left = await db.selectFrom('analysis_values').select('value').where('field', '=', 'outcome').execute();
    assert.equal(left.length, 1, JSON.stringify(left));
    assert.deepEqual(await createAnalysisRollups(db).verify(), []);
    const { groups } = (await send(service, 'GET', '/api/stats/analyses?field=outcome')).body;
    assert.deepEqual(groups, [{ value: left[0]?.value, calls: 1, mean: null }]);
    assert.equal(conflicts().deadlock.repeated, 0);
  });

  test('an analysis that is asked for again waits for an erasure of its call, and the erasure not for it', async () => {
    const service = await served();
    const { db, conflicts } = service.database;
    const { call_id, lines } = await endedCall(service, await createAgent(service));
    await saveExtractor(service, 'outcome');
    const ask = () => send(service, 'POST', `/api/calls/${call_id}/analyses`, { extractors: ['outcome'] });
    await ask();
    await complete(service, await next(service), resultOf({ outcome: 'booked' }, lines[0]));
    const asked: ReturnType<typeof send>[] = [];
    await db.transaction().execute(async (trx) => {
      await trx.selectFrom('sessions').select('id').where('id', '=', call_id).forUpdate().execute();
      asked.push(ask());
      await untilWaiting(trx, 1);
      await trx.updateTable('analyses').set({ user_id: USER }).execute();
    });
    assert.equal((await asked[0])?.status, 202);
    assert.equal(conflicts().deadlock.repeated, 0);
  });
}

/** Waits until so many transactions of this database wait for locks, in one that holds some and must not idle. */
async function untilWaiting(trx: Db, count: number): Promise<void> {
  const waiting = sql<{ count: number }>`select count(*)::integer as count
    from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
  const look = async () => {
    await sql`select pg_stat_clear_snapshot()`.execute(trx);
    return (await waiting.execute(trx)).rows[0]?.count ?? 0;
  };
  await eventually(look, (found) => found >= count);
}
