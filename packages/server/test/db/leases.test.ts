import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openTestDatabase } from '@switchboard/testkit/database.ts';
import { sql } from 'kysely';
import { takeLease } from '../../src/db/lease.ts';

test('a lease bars others until it ends, but not one that a wrong clock has dated far ahead', async () => {
  const { db, close } = await openTestDatabase();
  assert.equal(await takeLease(db, 'reconcile', 'one', 60_000), true);
  assert.equal(await takeLease(db, 'reconcile', 'two', 60_000), false);
  // The database's clock was a year ahead when the holder, which has died since, took it.
  await db.updateTable('leases').set({ expires_at: sql`now() + interval '1 year'` }).execute();
  assert.equal(await takeLease(db, 'reconcile', 'two', 60_000), true);
  assert.equal(await takeLease(db, 'reconcile', 'one', 60_000), false);
  await close();
});
