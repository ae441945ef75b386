import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createAgent, USER } from '@switchboard/testkit/calls.ts';
import { eventually } from '@switchboard/testkit/eventually.ts';
import { sql } from 'kysely';
import { analysesOf, endedCall, saveExtractor, served } from '../support/analyses.ts';
import { send } from '../support/tests.ts';

// The embedded database has one connection: no two transactions are open at a time.
if (process.env.TEST_DATABASE_URL)
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
