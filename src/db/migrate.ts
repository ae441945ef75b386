import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { type Kysely, sql } from 'kysely';
import { DEFAULT_MIGRATION_TABLE, type Migration, Migrator } from 'kysely/migration';
import type { Tables } from './tables.ts';

const FOLDER = path.join(import.meta.dirname, 'migrations');

/**
 * Brings the schema up to date. Replicas that start together wait for one another (Kysely holds an advisory lock). Each migration has a
 * transaction of its own: one over all would keep the locks of the first to the end, and lock itself out with calls that take the tables
 * in another order.
 */
export async function migrateToLatest(db: Kysely<Tables>): Promise<void> {
  const up = () => migrator(db).migrateUp();
  for (let done = await up(); ; done = await up()) {
    if (done.error) throw done.error;
    if (!done.results?.length) return;
  }
}

/** Whether every migration of this release has been applied. One look at a small table; the migrator looks at all of them. */
export async function isMigrated(db: Kysely<Tables>): Promise<boolean> {
  const { rows: known } = await sql<{
    exists: boolean;
  }>`select to_regclass(${DEFAULT_MIGRATION_TABLE}) is not null as exists`.execute(db);
  if (!known[0]?.exists) return false;
  const { rows } = await sql<{ name: string }>`select name from ${sql.table(DEFAULT_MIGRATION_TABLE)}`.execute(db);
  const applied = new Set(rows.map((row) => row.name));
  return (await migrationFiles()).every((file) => applied.has(path.basename(file, '.sql')));
}

function migrator(db: Kysely<Tables>): Migrator {
  return new Migrator({ db, provider: { getMigrations: readMigrations } });
}

async function readMigrations(): Promise<Record<string, Migration>> {
  const entries = (await migrationFiles()).map(async (name): Promise<[string, Migration]> => {
    const statements = (await readFile(path.join(FOLDER, name), 'utf8'))
      .split(/(?<=;)\n(?=\n|$)/)
      .filter((text) => text.trim());
    return [path.basename(name, '.sql'), { up: (db) => runAll(db, statements) }];
  });
  return Object.fromEntries(await Promise.all(entries));
}

// One by one: the embedded database takes a single statement a query.
async function runAll(db: Kysely<unknown>, statements: string[]): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}

async function migrationFiles(): Promise<string[]> {
  return (await readdir(FOLDER)).filter((name) => name.endsWith('.sql'));
}
