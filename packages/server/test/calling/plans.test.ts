import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openTestDatabase } from '@switchboard/testkit/database.ts';
import { sql } from 'kysely';
import { countPhones } from '../../src/calling/outbound/store.ts';
import { listRecentCalls } from '../../src/conversations/sessions/store.ts';
import { openPostgres } from '../../src/db/postgres.ts';
import type { Db } from '../../src/db/tables.ts';
import { idsFrom, newId } from '../../src/lib/ids.ts';
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

test('the mean cost of calls is read once from the newest that have ended, however many calls are open and chats came since', async () => {
  const database = await openTestDatabase();
  const { db } = database;
  const add = (count: number, daysAgo: number, call_status: string | null, status: string) =>
    sql`
      insert into sessions (id, room_name, user_id, status, call_direction, call_status, session_data, started_at, ended_at, created_at, updated_at)
      select id_from(at), gen_random_uuid(), 'user-1', ${status}::text, ${call_status && 'OUTBOUND'}::text, ${call_status}::text, '{}', at,
        case when ${status} = 'COMPLETED' then at end, at, at
      from generate_series(1, ${count}::int) as i,
        lateral (select now() - interval '1 day' * ${daysAgo}::int - interval '1 minute' * i as at) as times`.execute(
      db,
    );
  await add(5_000, 10, 'COMPLETED', 'COMPLETED');
  await add(5_000, 1, null, 'COMPLETED');
  await add(50, 0, 'ANSWERED', 'ACTIVE');
  await sql`
    insert into usage_events (id, session_id, user_id, provider, event_type, quantity, unit_cost, total_cost, created_at)
    select id, id::text, user_id, 'openai', 'llm_tokens', 1, 0.1, 0.1, created_at from sessions where ended_at is not null`.execute(
    db,
  );
  await sql`
    insert into budgets (user_id, monthly_limit, thresholds, refuse_calls, end_calls, updated_at)
    values ('user-1', 1000, '{}', true, false, now())`.execute(db);
  await sql`vacuum analyze sessions, usage_events, budgets`.execute(db);
  const sent = watchStatements(database);
  const counts = await countPhones(db, ['user-1'], { numbers: [], now: new Date(), max_duration_s: 7200 });
  assert.equal(counts.get('user-1')?.budget?.mean, 10n ** 17n);
  const [statement = assert.fail()] = sent.filter((one) => /monthly_limit - spent/.test(one.sql));
  const plans = createPlans(db);
  const read = await plans.rowsRead(statement);
  assert.ok(read < 150, `${read} rows read`);
  await sql`update budgets set cost_per_minute = 1`.execute(db);
  const readWithPrice = await plans.rowsRead(statement);
  assert.ok(readWithPrice < 100, `${readWithPrice} rows read`);
  await database.close();
});

test('repetitions of a call are sought among what its agent has begun in a minute, not among all that it ever had', async () => {
  const database = await openTestDatabase();
  const { db } = database;
  const agent_id = newId();
  const add = (count: number, minutesAgo: number) =>
    sql`
      insert into sessions (id, room_name, user_id, agent_id, status, call_direction, call_status, our_number, session_data, created_at, updated_at)
      select id_from(at), gen_random_uuid(), 'user-1', ${agent_id}::uuid, 'ACTIVE', 'INBOUND', 'ANSWERED', '+15005550010', '{}', at, at
      from generate_series(1, ${count}::int) as i,
        lateral (select now() - interval '1 minute' * ${minutesAgo}::int - interval '1 millisecond' * i as at) as times`.execute(
      db,
    );
  await sql`
    insert into agents (id, user_id, name, type, config, is_active, created_at, updated_at)
    values (${agent_id}::uuid, 'user-1', 'Desk', 'LLM', '{}', true, now(), now())`.execute(db);
  await add(5_000, 2);
  await add(200, 0);
  await sql`vacuum analyze sessions`.execute(db);
  const sent = watchStatements(database);
  const call = { agent_id, room_name: 'new', our_number: '+15005550010', caller_id: null };
  assert.equal((await listRecentCalls(db, call, new Date(Date.now() - 60_000))).length, 200);
  const [statement = assert.fail()] = sent;
  const read = await createPlans(db).rowsRead(statement);
  assert.ok(read < 250, `${read} rows read`);
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
