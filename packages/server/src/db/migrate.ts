import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { type Kysely, sql } from 'kysely';
import { DEFAULT_MIGRATION_TABLE, type Migration, Migrator } from 'kysely/migration';
import type { Tables } from './tables.ts';
import { DatabaseNotOpenError } from './trouble.ts';

const FOLDER = path.join(import.meta.dirname, 'migrations');

/**
 * Brings the schema up to date. Replicas that start together wait for one another (Kysely holds an advisory lock). Each
 * migration has a transaction of its own: one over all would keep the locks of the first to the end, and deadlock with
 * calls that take the tables in another order. Throws `DatabaseNotOpenError` for a schema that other migrations made.
 */
export async function migrateToLatest(db: Kysely<Tables>, folder = FOLDER): Promise<void> {
  await refuseOther(db, folder);
  const provider = { getMigrations: () => readMigrations(folder) };
  // Migrations that are written at the same time may land in another order than that of their numbers.
  const migrator = new Migrator({ db, provider, allowUnorderedMigrations: true });
  for (;;) {
    const { error, results } = await migrator.migrateUp();
    if (error) throw error;
    if (!results?.length) return;
  }
}

/**
 * Whether every migration of this release has been applied. One look at a small table; the migrator looks at all of
 * them.
 */
export async function isMigrated(db: Kysely<Tables>): Promise<boolean> {
  const applied = await appliedMigrations(db);
  return (await migrationNames(FOLDER)).every((name) => applied.has(name));
}

/** Nothing leads from a schema that other migrations have made to this one: its data is left alone. */
async function refuseOther(db: Kysely<Tables>, folder: string): Promise<void> {
  const known = new Set(await migrationNames(folder));
  const [other] = [...(await appliedMigrations(db))].filter((name) => !known.has(name));
  if (other === undefined) return;
  throw new DatabaseNotOpenError(
    `the database was made by another version (its migration ${other} is unknown) and cannot be upgraded by this one. Start the version that made it, or set DATABASE_URL to an empty database or DATA_DIR to an empty directory.`,
    null,
  );
}

async function appliedMigrations(db: Kysely<Tables>): Promise<Set<string>> {
  const table = DEFAULT_MIGRATION_TABLE;
  const { rows: found } = await sql<{ exists: boolean }>`select to_regclass(${table}) is not null as exists`.execute(
    db,
  );
  if (!found[0]?.exists) return new Set();
  const { rows } = await sql<{ name: string }>`select name from ${sql.table(table)} order by name`.execute(db);
  return new Set(rows.map((row) => row.name));
}

async function readMigrations(folder: string): Promise<Record<string, Migration>> {
  const entries = (await migrationNames(folder)).map(async (name): Promise<[string, Migration]> => {
    const statements = (await readFile(path.join(folder, `${name}.sql`), 'utf8'))
      .split(/(?<=;)\n(?=\n|$)/)
      .filter((text) => text.trim());
    return [name, { up: (db) => runAll(db, statements) }];
  });
  return Object.fromEntries(await Promise.all(entries));
}

// One by one: the embedded database takes a single statement a query.
async function runAll(db: Kysely<unknown>, statements: string[]): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}

async function migrationNames(folder: string): Promise<string[]> {
  return (await readdir(folder)).filter((name) => name.endsWith('.sql')).map((name) => path.basename(name, '.sql'));
}
