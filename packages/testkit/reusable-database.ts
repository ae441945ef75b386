// Embedded databases that serve one test after another in the same process: emptying one takes a fraction of the time
// that opening one does.
import { rmSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after } from 'node:test';
import { type Kysely, sql } from 'kysely';
import type { Database } from '../server/src/db/database.ts';
import { openDatabase } from '../server/src/db/open.ts';
import type { Tables } from '../server/src/db/tables.ts';
import { copyTemplate } from './template.ts';

/** Rows of a table as JSON. */
interface Seed {
  name: string;
  rows: string;
}

interface Reusable {
  database: Database;
  schema: string;
  counts: string;
  seeds: Seed[];
  /** Ordinary and partitioned tables, without the migrator's. */
  tables: string[];
}

const idle: Reusable[] = [];
let isFileOver = false;
// An open one has a timer of PostgreSQL's, for which the process would wait ten seconds.
after(async () => {
  isFileOver = true;
  for (const { database } of idle.splice(0)) await database.close();
});

/** An empty embedded database; closing it leaves it to the next caller, who finds it empty again. */
export async function borrowDatabase(): Promise<Database> {
  const one = (await takeIdle()) ?? (await openAnother());
  const { database } = one;
  let isClosed = false;
  // Every use of it, as after a real close; the object itself stays what the service made, with its own behavior.
  const db = new Proxy(database.db, {
    get: (target, name) => {
      if (isClosed) throw new Error('This database has been closed; the next test may be using it.');
      const value = Reflect.get(target, name, target);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
  return {
    ...database,
    db,
    close: async () => {
      if (isClosed) return;
      isClosed = true;
      // A disk counts as full for a while, and conflicts are counted to the end.
      if (isFileOver || database.isFull() || countsOf(database) !== one.counts) await database.close();
      else idle.push(one);
    },
  };
}

const countsOf = ({ conflicts }: Database): string => JSON.stringify(conflicts());

/** A database that is like a new one; null if none is idle, or a test has changed the schema of all of them. */
async function takeIdle(): Promise<Reusable | null> {
  for (let one = idle.pop(); one; one = idle.pop()) {
    const { db } = one.database;
    if ((await schemaOf(db)) === one.schema) {
      await empty(db, one);
      return one;
    }
    await one.database.close();
  }
  return null;
}

async function openAnother(): Promise<Reusable> {
  const dir = await mkdtemp(path.join(tmpdir(), 'switchboard-'));
  process.on('exit', () => rmSync(dir, { recursive: true, force: true }));
  await copyTemplate(dir);
  const database = await openDatabase({ poolMax: 10, onIdleError: () => {}, dir });
  const { db } = database;
  const tables = await tablesOf(db);
  return {
    database,
    schema: await schemaOf(db),
    counts: countsOf(database),
    seeds: await rowsOf(db, await filled(db, tables)),
    tables,
  };
}

async function tablesOf(db: Kysely<Tables>): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select relname as name from pg_class
    where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition
      and relname not like 'kysely%'
    order by 1`.execute(db);
  return rows.map(({ name }) => name);
}

async function filled(db: Kysely<Tables>, tables: string[]): Promise<string[]> {
  const parts = tables.map((name) => sql`select ${name}::text as name where exists (select from ${sql.table(name)})`);
  const { rows } = await sql<{ name: string }>`${sql.join(parts, sql` union all `)}`.execute(db);
  return rows.map(({ name }) => name);
}

async function rowsOf(db: Kysely<Tables>, tables: string[]): Promise<Seed[]> {
  const seeds: Seed[] = [];
  for (const name of tables) {
    const { rows } = await sql<{ rows: string }>`
      select json_agg(each)::text as rows from ${sql.table(name)} as each`.execute(db);
    seeds.push({ name, rows: rows[0]?.rows ?? '[]' });
  }
  return seeds;
}

/** Everything that a test may change apart from rows, as text: also what the planner believes about their number. */
async function schemaOf(db: Kysely<Tables>): Promise<string> {
  const { rows } = await sql<{ schema: string }>`
    select md5(concat_ws('|',
      (select string_agg(concat_ws(' ', relname, relkind, relispartition, reltuples), ',' order by relname) from pg_class
        where relnamespace = 'public'::regnamespace),
      (select string_agg(concat_ws(' ', attrelid::regclass, attname, atttypid, attnotnull, attisdropped), ',' order by attrelid, attnum)
        from pg_attribute where attrelid >= 16384),
      (select string_agg(conname::text || convalidated, ',' order by oid) from pg_constraint where oid >= 16384),
      (select string_agg(tgname::text || tgenabled::text, ',' order by oid) from pg_trigger where oid >= 16384),
      (select string_agg(concat_ws(' ', proname, prosrc), ',' order by oid) from pg_proc where oid >= 16384),
      (select string_agg(setconfig::text, ',' order by setdatabase, setrole) from pg_db_role_setting),
      (select string_agg(name, ',' order by name) from kysely_migration))) as schema`.execute(db);
  return rows[0]?.schema ?? '';
}

/** Deleting a few rows costs less than truncating, which replaces the files of every table and index. */
async function empty(db: Kysely<Tables>, { tables, seeds }: Reusable): Promise<void> {
  await sql`reset all`.execute(db);
  // Without triggers: neither references nor the tables' own rules are in the way.
  await sql`set session_replication_role = replica`.execute(db);
  const names = new Set([...(await filled(db, tables)), ...seeds.map(({ name }) => name)]);
  for (const name of names) await sql`delete from ${sql.table(name)}`.execute(db);
  for (const { name, rows } of seeds)
    await sql`insert into ${sql.table(name)} overriding system value
      select * from json_populate_recordset(null::${sql.table(name)}, ${rows}::json)`.execute(db);
  await sql`reset session_replication_role`.execute(db);
  await sql`
    select setval(format('%I.%I', schemaname, sequencename)::regclass, start_value, false) from pg_sequences
    where last_value is not null`.execute(db);
}
