import assert from 'node:assert/strict';
import { cp, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import { openTestDatabase } from '@switchboard/testkit/database.ts';
import { sql } from 'kysely';
import { migrateToLatest } from '../../src/db/migrate.ts';
import { ensurePartitions } from '../../src/db/partitions.ts';
import { createRollups } from '../../src/ledger/usage/rollups.ts';
import { insertUsageEvents } from '../../src/ledger/usage/store.ts';
import { newId } from '../../src/lib/ids.ts';

const MIGRATIONS = path.resolve(import.meta.dirname, '../../src/db/migrations');

test('a database with months of events gets models, prices and adjustments, and its rollups stay true', async (t) => {
  const { db, close } = await openTestDatabase();
  t.after(close);
  const earlier = await mkdtemp(path.join(tmpdir(), 'switchboard-migrations-'));
  t.after(() => rm(earlier, { recursive: true }));
  for (const name of (await readdir(MIGRATIONS)).filter((name) => name < '0008'))
    await cp(path.join(MIGRATIONS, name), path.join(earlier, name));
  await sql`drop schema public cascade`.execute(db);
  await sql`create schema public`.execute(db);
  await migrateToLatest(db, earlier);
  await ensurePartitions(db, new Date());
  // In the first partition, in those of the months to come, and in the one for all others; each with its rollup.
  await sql`
    insert into usage_events
    select overlay(id_from(at)::text placing lpad(to_hex(n), 12, '0') from 25)::uuid, 's-' || n, 'user-' || n % 2,
      'agent-1', 'openai', 'llm_tokens', 1, 0.1, 0.1, at
    from (select n, now() + interval '1 month' * (n - 3) as at from generate_series(1, 12) as n) as made`.execute(db);
  await sql`
    insert into usage_rollups
    select user_id, (created_at at time zone 'UTC')::date, agent_id, provider, event_type, sum(quantity), sum(total_cost), count(*)
    from usage_events group by 1, 2, 3, 4, 5`.execute(db);
  await sql`insert into usage_agent_sessions select distinct user_id, agent_id, session_id from usage_events`.execute(
    db,
  );
  await sql`insert into usage_agent_session_counts
    select user_id, agent_id, count(*) from usage_agent_sessions group by 1, 2`.execute(db);
  const { rows: partitions } = await sql<{ count: number }>`
    select count(distinct tableoid) as count from usage_events`.execute(db);
  assert.equal(partitions[0]?.count, 5);
  await migrateToLatest(db);
  assert.deepEqual(await createRollups(db).verify(() => {}), { users: 2, days: 12, wrong: [] });
  await ensurePartitions(db, new Date(Date.UTC(2040, 0)));
  const created_at = new Date();
  const event = { session_id: 's', user_id: 'user-0', agent_id: null, provider: 'twilio', quantity: '1', created_at };
  await insertUsageEvents(db, [
    { ...event, id: newId(), event_type: 'telephony_minutes', direction: 'OUTBOUND' },
    { ...event, id: newId(), event_type: 'llm_cached_tokens', model: 'm', unit_cost: '2' },
  ]);
  assert.deepEqual((await createRollups(db).verify(() => {})).wrong, []);
  // Old types are refused as before, in every month.
  const { rows } = await sql<{ name: string }>`
    select inhrelid::regclass::text as name from pg_inherits where inhparent = 'usage_events'::regclass`.execute(db);
  for (const { name } of rows) {
    const insert =
      sql`insert into ${sql.table(name)} (id, session_id, user_id, provider, event_type, quantity, unit_cost, total_cost, created_at)
      values (gen_random_uuid(), 's', 'u', 'p', 'minutes', 1, 1, 1, now())`.execute(db);
    await assert.rejects(insert, /usage_events_event_type_check/, name);
  }
});

test('a replica of the release before, beside the new schema, writes nothing of an event: its statement is refused whole', async (t) => {
  const { db, close } = await openTestDatabase();
  t.after(close);
  // Its rollups have five columns in their key; what is unique now has nine, and no index can have it be both.
  const insert = sql`
    with input as (
      select ${newId()}::uuid as id, 's' as session_id, 'old' as user_id, null as agent_id, 'openai' as provider,
        'llm_tokens' as event_type, 1 as quantity, 1 as unit_cost, 1 as total_cost, now() as created_at
    ), inserted as (
      insert into usage_events
        (id, session_id, user_id, agent_id, provider, event_type, quantity, unit_cost, total_cost, created_at)
      select * from input returning id, quantity, unit_cost, total_cost
    ), rolled_up as (
      insert into usage_rollups as rollup (user_id, day, agent_id, provider, event_type, quantity, total_cost, events)
      select user_id, (created_at at time zone 'UTC')::date, coalesce(agent_id, ''), provider, event_type,
        sum(quantity), sum(total_cost), count(*)
      from input group by 1, 2, 3, 4, 5 order by 1, 2, 3, 4, 5
      on conflict (user_id, day, agent_id, provider, event_type) do update set
        quantity = rollup.quantity + excluded.quantity,
        total_cost = rollup.total_cost + excluded.total_cost,
        events = rollup.events + excluded.events
    )
    select id, quantity, unit_cost, total_cost from inserted`.execute(db);
  await assert.rejects(insert, { code: '42P10' });
  const { rows } = await sql`
    select user_id from usage_events where user_id = 'old' union all select user_id from usage_rollups where user_id = 'old'`.execute(
    db,
  );
  assert.deepEqual(rows, []);
});
