import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type TestContext, test } from 'node:test';
import { openTestDatabase } from '@switchboard/testkit/database.ts';
import { eventually } from '@switchboard/testkit/eventually.ts';
import { within } from '@switchboard/testkit/within.ts';
import { sql } from 'kysely';
import type { Database } from '../../src/db/database.ts';
import { isMigrated, migrateToLatest } from '../../src/db/migrate.ts';
import { DatabaseNotOpenError } from '../../src/db/trouble.ts';

test('migrations are applied when the database is open', async (t) => {
  const database = await openTestDatabase();
  t.after(() => database.close());
  assert.equal(await isMigrated(database.db), true);
});

test('each migration is a transaction of its own', async (t) => {
  const empty = await emptied(t);
  const folder = await mkdtemp(path.join(tmpdir(), 'switchboard-migrations-'));
  t.after(() => rm(folder, { recursive: true }));
  await writeFile(path.join(folder, '0001_a.sql'), 'create table a (id integer);\n\ncreate table b (id integer);\n');
  await writeFile(path.join(folder, '0002_c.sql'), 'create table c (id integer);\n');
  await migrateToLatest(empty, folder);
  const { rows } = await sql<{ relname: string; xmin: string }>`
    select relname, xmin::text from pg_class where relname in ('a', 'b', 'c') order by relname`.execute(empty);
  const [a, b, c] = rows.map(({ xmin }) => xmin);
  assert.ok(rows.length === 3 && a === b && b !== c, JSON.stringify(rows));
});

test('a migration is applied although one with a higher number was', async (t) => {
  const empty = await emptied(t);
  const folder = await mkdtemp(path.join(tmpdir(), 'switchboard-migrations-'));
  t.after(() => rm(folder, { recursive: true }));
  await writeFile(path.join(folder, '0001_a.sql'), 'create table a (id integer);\n');
  await writeFile(path.join(folder, '0003_c.sql'), 'create table c (id integer);\n');
  await migrateToLatest(empty, folder);
  await writeFile(path.join(folder, '0002_b.sql'), 'create table b (id integer);\n');
  await migrateToLatest(empty, folder);
  const { rows } = await sql`select relname from pg_class where relname in ('a', 'b', 'c')`.execute(empty);
  assert.equal(rows.length, 3);
});

test('a database of other migrations is refused and left unchanged', async (t) => {
  const empty = await emptied(t);
  const folder = await mkdtemp(path.join(tmpdir(), 'switchboard-migrations-'));
  t.after(() => rm(folder, { recursive: true }));
  await writeFile(path.join(folder, '0001_foundation.sql'), 'create table agents (id integer);\n');
  await migrateToLatest(empty, folder);
  assert.equal(await isMigrated(empty), false);
  await assert.rejects(migrateToLatest(empty), (error) => {
    assert.ok(error instanceof DatabaseNotOpenError);
    assert.match(error.message, /made by another version \(its migration 0001_foundation is unknown\).*empty database/);
    return true;
  });
  const { rows } = await sql`select table_name from information_schema.columns where table_schema = 'public'
    and table_name !~ '^kysely' order by 1`.execute(empty);
  assert.deepEqual(rows, [{ table_name: 'agents' }]);
});

// The embedded database has one process and one connection.
if (process.env.TEST_DATABASE_URL) {
  test('replicas that start at the same time on an empty database migrate it once', async (t) => {
    const empty = await emptied(t);
    assert.equal(await isMigrated(empty), false);
    await Promise.all(Array.from({ length: 5 }, () => migrateToLatest(empty)));
    assert.equal(await isMigrated(empty), true);
  });

  test('a migration takes longer than the role allows its statements', async (t) => {
    const db = await emptied(t, true);
    const folder = await mkdtemp(path.join(tmpdir(), 'switchboard-migrations-'));
    t.after(() => rm(folder, { recursive: true }));
    await writeFile(path.join(folder, '0001_a.sql'), 'select pg_sleep(3);\n');
    const { rows } = await sql<{ name: string }>`select current_database() as name`.execute(db);
    await sql`alter database ${sql.id(rows[0]?.name ?? '')} set statement_timeout = '1s'`.execute(db);
    // The setting is that of new connections.
    await sql`select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database()`
      .execute(db)
      .catch(() => {});
    const lasting = () => sql`select pg_sleep(3)`.execute(db).then(() => 'done', String);
    await eventually(lasting, (outcome) => outcome.includes('statement timeout'));
    await migrateToLatest(db, folder);
  });

  test('a migration that waits for a table holds nobody up for long, and succeeds once the table is free', async (t) => {
    const db = await emptied(t, true);
    const folder = await mkdtemp(path.join(tmpdir(), 'switchboard-migrations-'));
    t.after(() => rm(folder, { recursive: true }));
    await writeFile(path.join(folder, '0001_a.sql'), 'create table a (id integer);\n');
    await migrateToLatest(db, folder);
    await writeFile(path.join(folder, '0002_b.sql'), 'alter table a add column b integer;\n');
    const [reading, read] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const backup = db.transaction().execute(async (trx) => {
      await sql`select from a`.execute(trx);
      reading.resolve();
      await read.promise;
    });
    await reading.promise;
    let waits = 0;
    const migrating = migrateToLatest(db, folder, () => waits++);
    await eventually(
      () => sql`select from pg_locks where relation = 'a'::regclass and not granted`.execute(db),
      ({ rows }) => rows.length > 0,
    );
    try {
      await within(sql`select from a`.execute(db), 'reading the table while the migration waits', 30_000);
      await eventually(async () => waits > 0, Boolean, 30_000);
    } finally {
      read.resolve();
      await Promise.all([backup, migrating]);
    }
    await sql`select b from a`.execute(db);
    assert.equal(waits, 1);
  });
}

/** A database without a schema. */
async function emptied(t: TestContext, isPatient = false): Promise<Database['db']> {
  const opened = await openTestDatabase(isPatient);
  t.after(() => opened.close());
  await sql`drop schema public cascade`.execute(opened.db);
  await sql`create schema public`.execute(opened.db);
  return opened.db;
}
