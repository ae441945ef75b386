import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openTestDatabase } from '@switchboard/testkit/database.ts';
import { listen } from '@switchboard/testkit/event-stream.ts';
import { eventually } from '@switchboard/testkit/eventually.ts';
import { startService } from '@switchboard/testkit/service.ts';
import { sql } from 'kysely';
import { BUSY, insertManyRows } from './support/many-rows.ts';
import { createPlans } from './support/plans.ts';
import { watchStatements } from './support/statements.ts';

const database = await openTestDatabase(true);
const { db } = database;
await insertManyRows(database);
const sent = watchStatements(database);
const { scannedBy } = createPlans(db);
const service = await startService({ database, env: { LOG_LEVEL: 'silent' } });

test('the stream over all calls scans no table, with a transaction in progress or without', async () => {
  // Past the transaction that has filled the tables.
  for (let times = 0; times < 10; times++) await sql`select txid_current()`.execute(db);
  const { rows } = await sql<{ next: string }>`
    select (txid_current() - 5) || ':' || txid_current() - 7 as next`.execute(db);
  for (const [user, last] of [
    [BUSY, `${rows[0]?.next}`],
    [null, String(rows[0]?.next).split(':')[0] ?? ''],
  ] as const) {
    const before = sent.length;
    const stream = await listen(`${service.url}/api/events`, {
      ...(user !== null && { 'x-user-id': user }),
      'last-event-id': last,
    });
    const said = { body: { content: 'Hello' } };
    const streamed = () => sent.slice(before).filter(({ sql }) => /entry\.tx|from transcripts where id/.test(sql));
    // The count of what was missed, the entries, their texts, and the search for users with new ones.
    await eventually(
      async () => {
        const { status } = await service.request('POST', '/api/sessions/by-room/call-39390/transcripts', said);
        assert.equal(status, 201);
        return streamed().map(({ sql }) => sql);
      },
      (asked) =>
        ['as all_of_them', "'transcript'", 'from transcripts where id', 'union select session_id'].every((part) =>
          asked.some((one) => one.includes(part)),
        ),
    );
    stream.leave();
    assert.ok(streamed().length >= 3);
    assert.deepEqual(await scannedBy(streamed()), []);
  }
});

test('without its index the stream fails this check', async () => {
  const entries = sent.find(({ sql }) => sql.includes("'transcript'"));
  assert.ok(entries);
  await sql`drop index session_events_by_tx`.execute(db);
  assert.notDeepEqual(await scannedBy([entries]), []);
  await service.close();
  await database.close();
});
