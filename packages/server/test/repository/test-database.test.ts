import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openTestDatabase } from '@switchboard/testkit/database.ts';
import { sql } from 'kysely';
import type { Database } from '../../src/db/database.ts';

/** The number of rows of every table, and the next value of every sequence. */
async function contentsOf({ db }: Database) {
  const { rows: tables } = await sql<{ relname: string }>`
    select relname from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') order by 1`.execute(
    db,
  );
  const counts = tables.map(
    ({ relname }) => sql`select ${relname}::text as name, count(*)::int as rows from ${sql.table(relname)}`,
  );
  const { rows } = await sql`${sql.join(counts, sql` union all `)}`.execute(db);
  const { rows: sequences } = await sql`
    select sequencename, last_value from pg_sequences order by sequencename`.execute(db);
  return { rows, sequences };
}

const nameOfMonth = (date: Date) => `usage_events_${date.toISOString().slice(0, 7).replace('-', '_')}`;

const installationOf = async ({ db }: Database) =>
  (await db.selectFrom('installation').select('id').executeTakeFirstOrThrow()).id;

const insertAgent = ({ db }: Database) =>
  sql`insert into agents (id, user_id, name, type, config, is_active, created_at, updated_at)
    values (gen_random_uuid(), 'user-1', 'A', 'PIPELINE', '{}', true, now(), now())`.execute(db);

test('a database that a test has closed is like new for the next one, and closed for the first', async () => {
  const first = await openTestDatabase();
  const [fresh, installation] = [await contentsOf(first), await installationOf(first)];
  await insertAgent(first);
  await sql`update price_book set version = version + 1`.execute(first.db);
  await sql`insert into usage_agent_sessions values ('user-1', 'agent-1', 'session-1')`.execute(first.db);
  await sql`set statement_timeout = 1234`.execute(first.db);
  await first.close();
  await assert.rejects(async () => insertAgent(first));
  const second = await openTestDatabase();
  assert.deepEqual(await contentsOf(second), fresh);
  assert.notEqual(await installationOf(second), installation);
  const { rows } = await sql<{ statement_timeout: string }>`show statement_timeout`.execute(second.db);
  assert.notEqual(rows[0]?.statement_timeout, '1234ms');
  await insertAgent(second);
  const beside = await openTestDatabase();
  assert.deepEqual(await contentsOf(beside), fresh);
  await Promise.all([second.close(), beside.close()]);
});

test('a database with a partition that a test has detached is not handed on', async () => {
  const changed = await openTestDatabase();
  const name = nameOfMonth(new Date());
  await sql`alter table usage_events detach partition ${sql.table(name)}`.execute(changed.db);
  await changed.close();
  const next = await openTestDatabase();
  await sql`alter table usage_events detach partition ${sql.table(name)}`.execute(next.db);
  await next.close();
});

test('a database whose schema a test has changed is not handed on', async () => {
  const changed = await openTestDatabase();
  const fresh = await contentsOf(changed);
  await sql`alter table agents rename column is_active to was_active`.execute(changed.db);
  await changed.close();
  const next = await openTestDatabase();
  await sql`select is_active from agents`.execute(next.db);
  assert.deepEqual(await contentsOf(next), fresh);
  await next.close();
});

test('a database about whose rows the planner believes something is not handed on', async () => {
  const one = await openTestDatabase();
  await insertAgent(one);
  await sql`analyze agents`.execute(one.db);
  await one.close();
  const next = await openTestDatabase();
  const { rows } = await sql<{ reltuples: number }>`
    select reltuples from pg_class where oid = 'agents'::regclass`.execute(next.db);
  assert.deepEqual(rows, [{ reltuples: -1 }]);
  await next.close();
});
