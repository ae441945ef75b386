import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openTestDatabase } from '@switchboard/testkit/database.ts';
import { sql } from 'kysely';
import { countPhones } from '../../src/calling/outbound/store.ts';
import { openPostgres } from '../../src/db/postgres.ts';
import type { Db } from '../../src/db/tables.ts';
import { idsFrom } from '../../src/lib/ids.ts';
import { noteCallWorker, readCallWorkers } from '../../src/work/store.ts';
import { createPlans } from '../support/plans.ts';
import { watchStatements } from '../support/statements.ts';

test('the phones of many users are counted in one pass, even with the statistics of a quiet hour', async () => {
  const database = await openTestDatabase();
  const { db } = database;
  const users = Array.from({ length: 300 }, (_, index) => `user-${index}`);
  const addCalls = (count: number) =>
    sql`
      insert into sessions (id, room_name, user_id, status, call_direction, call_status, session_data, created_at, updated_at)
      select gen_random_uuid(), gen_random_uuid(), 'user-' || i % 300, 'ACTIVE', 'OUTBOUND', 'ANSWERED', '{}', now(), now()
      from generate_series(1, ${count}::int) as i`.execute(db);
  await addCalls(5000);
  await sql`update sessions set status = 'COMPLETED', call_status = 'COMPLETED', ended_at = now()`.execute(db);
  await sql`vacuum analyze sessions`.execute(db);
  await addCalls(3000);
  const sent = watchStatements(database);
  const counts = await countPhones(db, users, { numbers: [], now: new Date(), max_duration_s: 7200 });
  assert.ok(users.every((user) => counts.get(user)?.phones === 10));
  const [statement] = sent.filter((one) => /from sessions/.test(one.sql));
  assert.ok(statement);
  const read = await createPlans(db).rowsRead(statement);
  assert.ok(read < 10_000, `${read} rows read`);
  await database.close();
});

test('a decision reads the newest attempts of each purpose, and no others', async () => {
  const database = await openTestDatabase();
  const { db } = database;
  const now = new Date();
  await sql`
    insert into dial_policies (id, user_id, name, version, is_default, created_at)
    values (gen_random_uuid(), 'user-1', 'hours', 1, true, now())`.execute(db);
  await sql`
    insert into dial_decisions (id, user_id, kind, phone_number, purpose, outcome, reasons, inputs, inputs_hash, evaluated_at)
    select gen_random_uuid(), 'user-' || i % 10, 'call', '+4930123456', 'marketing', 'allow', '[]', '{}', '', now() - interval '1 minute' * i
    from generate_series(1, 5000) as i`.execute(db);
  await sql`analyze dial_decisions`.execute(db);
  const sent = watchStatements(database);
  const about = { place: 0, user_id: 'user-1', agent_id: '', campaign_id: '', number_hash: '', policy: null };
  const numbers = [{ ...about, purpose: 'marketing', phone_number: '+4930123456' }];
  const facts = await countPhones(db, ['user-1'], { numbers, now, max_duration_s: 7200 });
  assert.equal(facts.get('user-1')?.numbers[0]?.attempts?.length, 100);
  const [statement] = sent.filter((one) => /dial_decisions/.test(one.sql));
  assert.ok(statement);
  // There are none of two purposes.
  const read = await createPlans(db).rowsRead(statement);
  assert.ok(read < 350, `${read} rows read`);
  await database.close();
});

test('calls that need a worker are counted among those of a day, not among all open conversations', async () => {
  const database = await openTestDatabase();
  const { db } = database;
  const now = new Date();
  const open = (id: string) => sql`
    insert into sessions (id, room_name, user_id, status, session_data, created_at, updated_at)
    select ${id}::uuid, gen_random_uuid(), 'user-1', 'ACTIVE', '{}', now(), now()`;
  for (let n = 0; n < 500; n++) await open(idsFrom(new Date(now.getTime() - 86_500_000 - n))).execute(db);
  await sql`analyze sessions`.execute(db);
  assert.equal(await readCallWorkers(db, now), null, 'no worker has said anything');
  await noteCallWorker(db, 'one', 3);
  const sent = watchStatements(database);
  assert.deepEqual(await readCallWorkers(db, now), { max_calls: 3, open: 0 });
  const [statement = assert.fail()] = sent;
  const read = await createPlans(db).rowsRead(statement);
  assert.ok(read < 10, `${read} rows read`);
  await database.close();
});

// The embedded database prepares no statement.
if (process.env.TEST_DATABASE_URL) {
  test('a statement that was prepared over an empty table uses the index once the table has grown', async () => {
    const { db, close } = openPostgres(process.env.TEST_DATABASE_URL ?? '', { max: 1, onIdleError: assert.fail });
    // Autovacuum does not look at temporary tables: nobody else has PostgreSQL plan anew.
    await sql`create temporary table growing (name text primary key, filler char(2000) default '')`.execute(db);
    const names = Array.from({ length: 20_000 }, (_, index) => `name-${index}`);
    const find = (on: Db = db) =>
      sql`
        -- prepared: find_growing
        select name from growing where name = any(${names.slice(0, 3)}::text[])`.execute(on);
    for (let use = 0; use < 20; use++) await find();
    await sql`insert into growing (name) select * from unnest(${names}::text[])`.execute(db);
    for (let use = 0; use < 20; use++) await find();
    // Within a transaction PostgreSQL does not flush its counters.
    await db.transaction().execute(async (trx) => {
      const scans = () =>
        sql<{ seq_scan: number }>`select seq_scan from pg_stat_xact_user_tables where relname = 'growing'`.execute(trx);
      const before = (await scans()).rows;
      await find(trx);
      assert.deepEqual((await scans()).rows, before);
    });
    await close();
  });
}
