import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createTestClock } from '@switchboard/testkit/clock.ts';
import { openTestDatabase } from '@switchboard/testkit/database.ts';
import { startService } from '@switchboard/testkit/service.ts';
import { sql } from 'kysely';
import { deleteOldWords } from '../../src/calling/history/words-store.ts';
import { deleteOldCassettes } from '../../src/calling/scenarios/cassette-store.ts';
import { type Deleted, listOld, type OldRows } from '../../src/db/retention-batches.ts';
import { idsFrom } from '../../src/lib/ids.ts';
import { createPlans } from '../support/plans.ts';
import { watchStatements } from '../support/statements.ts';
import { tidy } from '../support/tidy.ts';

const DAY_MS = 24 * 3_600_000;
const [HELD, FREE] = [3_000, 2_500];

test('the retention reads what a hold keeps once in a round, however much it deletes', async () => {
  const clock = createTestClock();
  const database = await openTestDatabase();
  const { db } = database;
  const service = await startService({ database, clock, env: { TRANSCRIPT_RETENTION_DAYS: '10' } });
  // The round of its start, before anything is old.
  await tidy(service);
  const open = async (user_id: string): Promise<string> =>
    (await service.request('POST', '/api/sessions/', { body: { user_id } })).body.id;
  const fill = (session_id: string, count: number, from: number) =>
    sql`
    insert into transcripts (id, session_id, speaker, content, timestamp)
    select overlay(id_from(now())::text placing lpad(to_hex(${from}::integer + n), 12, '0') from 25)::uuid, ${session_id}::uuid, 'USER', 'word', now()
    from generate_series(1, ${count}::integer) as n`.execute(db);
  // The kept ones are the older ones: every part that begins with the oldest reads them all.
  await fill(await open('held'), HELD, 0);
  await fill(await open('free'), FREE, HELD);
  await service.request('PATCH', '/api/users/held', { body: { legal_hold: true } });
  await sql`analyze transcripts`.execute(db);
  clock.advance(20 * DAY_MS);
  const sent = watchStatements(database);
  await tidy(service);
  const left = await db.selectFrom('transcripts').select('session_id').execute();
  assert.equal(left.length, HELD, 'all of the others are deleted');

  // As they read now, when there is nothing left to delete.
  const { explain } = createPlans(db);
  let read = 0;
  for (const statement of sent.filter((one) => /legal_holds/.test(one.sql) && /\btranscripts\b/.test(one.sql)))
    for (const node of await explain(statement, ', analyze'))
      if (/^transcripts/.test(node['Relation Name'] ?? '') && node['Node Type'] !== 'Bitmap Index Scan')
        read += ((node['Actual Rows'] ?? 0) + (node['Rows Removed by Filter'] ?? 0)) * (node['Actual Loops'] ?? 1);
  assert.ok(read >= HELD && read < HELD + 1_000, `${read} rows read`);
  await service.close();
  await database.close();
});

test('words of held calls are looked at a batch at a time, and kept; those of others are deleted once their lines are', async () => {
  const database = await openTestDatabase();
  const { db } = database;
  const service = await startService({ database });
  const open = async (user_id: string): Promise<string> => {
    const { id } = (await service.request('POST', '/api/sessions/', { body: { user_id } })).body;
    await sql`insert into call_words (session_id, words) values (${id}::uuid, 'word'::tsvector)`.execute(db);
    return id;
  };
  const held = [await open('held'), await open('held'), await open('held')];
  const [said, free] = [await open('free'), await open('free')];
  await sql`insert into transcripts (id, session_id, speaker, content, timestamp)
    values (id_from(now()), ${said}::uuid, 'USER', 'word', now())`.execute(db);
  await service.request('PATCH', '/api/users/held', { body: { legal_hold: true } });
  const before = idsFrom(new Date(Date.now() + DAY_MS));
  const first = await deleteOldWords(db, { before, limit: 2, after: null });
  assert.deepEqual([first.deleted, first.next !== null], [0, true]);
  for (let after = first.next; after !== null; ) after = (await deleteOldWords(db, { before, limit: 2, after })).next;
  const left = await db.selectFrom('call_words').select('session_id').orderBy('session_id').execute();
  assert.deepEqual(
    left.map(({ session_id }) => session_id),
    [...held, said].toSorted(),
    `without ${free}`,
  );
  await service.close();
  await database.close();
});

test('rows of one moment are each looked at once, whether they are held or not', async () => {
  const database = await openTestDatabase();
  const { db } = database;
  const service = await startService({ database });
  const ids: string[] = [];
  for (const user_id of ['held', 'free']) {
    const { id } = (await service.request('POST', '/api/sessions/', { body: { user_id } })).body;
    const { rows } = await sql<{ id: string }>`
      insert into recordings (id, session_id, user_id, state, channels, created_at, updated_at)
      select gen_random_uuid(), ${id}::uuid, ${user_id}, 'failed', 'mono', '2026-01-01 00:00:00.123456Z', now() from generate_series(1, 5)
      returning id`.execute(db);
    if (user_id === 'free') ids.push(...rows.map((row) => row.id));
  }
  await service.request('PATCH', '/api/users/held', { body: { legal_hold: true } });
  const found: string[] = [];
  const rows = { table: 'recordings', id: 'id', at: 'created_at', of: { session: 'session_id' } };
  const before = idsFrom(new Date('2026-01-02'));
  let batches = 0;
  for (let after: string | null = null; batches === 0 || (after !== null && batches < 9); batches++) {
    const batch: OldRows = await listOld(db, rows, { before, limit: 3, after });
    found.push(...batch.ids);
    after = batch.next;
  }
  assert.deepEqual([found.toSorted(), batches], [ids.toSorted(), 4]);
  await service.close();
  await database.close();
});

test('rows that no hold keeps are deleted in batches, the oldest first, and no younger ones', async () => {
  const database = await openTestDatabase();
  const { db } = database;
  await sql`
    insert into cassettes (id, user_id, agent_id, agent_version, content, exchanges, recorded_at)
    select gen_random_uuid(), 'user', gen_random_uuid(), 1, '{}', 0, timestamptz '2026-01-01' + n * interval '1 day'
    from generate_series(1, 7) as n`.execute(db);
  const before = idsFrom(new Date('2026-01-07'));
  const deleted: number[] = [];
  let after: string | null = null;
  do {
    const batch: Deleted = await deleteOldCassettes(db, { before, limit: 2, after });
    deleted.push(batch.deleted);
    after = batch.next;
  } while (after !== null && deleted.length < 9);
  assert.deepEqual(deleted, [2, 2, 1]);
  assert.equal((await db.selectFrom('cassettes').select('id').execute()).length, 2);
  await database.close();
});
