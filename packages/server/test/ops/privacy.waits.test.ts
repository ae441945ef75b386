import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createAgent, USER } from '@switchboard/testkit/calls.ts';
import { openTestDatabase } from '@switchboard/testkit/database.ts';
import { eventually } from '@switchboard/testkit/eventually.ts';
import { startService } from '@switchboard/testkit/service.ts';
import { sql } from 'kysely';
import { lockPrivacy, savePrivacy } from '../../src/conversations/agents/privacy-store.ts';

// The embedded database has one connection: no two transactions are open at a time.
if (process.env.TEST_DATABASE_URL)
  test('an erasure deletes the rules of its user, also those that are being set when it comes to them', async () => {
    // Patient: a lock is held for longer than a transaction may pause.
    const database = await openTestDatabase(true);
    const service = await startService({ database });
    const { db } = database;
    await createAgent(service);
    const waiting = async () => {
      const { rows } = await sql`select from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock'`.execute(db);
      return rows.length;
    };
    let isAnswered = false;
    const erased = await db.transaction().execute(async (trx) => {
      await lockPrivacy(trx, USER);
      await savePrivacy(trx, USER, { redact: ['card'] });
      const erasing = service.request('DELETE', `/api/users/${USER}`).finally(() => {
        isAnswered = true;
      });
      await eventually(waiting, (count) => count >= 1 || isAnswered);
      return { erasing };
    });
    assert.equal((await erased.erasing).status, 200);
    assert.deepEqual(await db.selectFrom('user_privacy').selectAll().execute(), []);
    await service.close();
    await database.close();
  });
