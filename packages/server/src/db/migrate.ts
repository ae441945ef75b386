import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Kysely, sql } from 'kysely';
import { DEFAULT_MIGRATION_TABLE, type Migration, type MigrationProvider, Migrator } from 'kysely/migration';
import type { Tables } from './tables.ts';
import { DatabaseNotOpenError } from './trouble.ts';

export const MIGRATIONS = path.join(import.meta.dirname, 'migrations');

/** Kysely's number, so that replicas of earlier releases, which let Kysely take the lock, wait as well. */
const LOCK = sql.lit(3853314791062309107n);

/**
 * How long a migration waits for a lock of a table, while everything else that needs the table waits behind it. Longer
 * than PostgreSQL's `deadlock_timeout` (a second), after which autovacuum yields to whoever waits for it.
 */
const LOCK_TIMEOUT_MS = 2_000;
/** The pause before it waits for the lock again, in which the others go on. */
const PAUSE_MS = 5_000;
/** `lock_not_available` */
const NOT_LOCKED = '55P03';

export const MIGRATION_WAITS =
  'a migration waits for a table that another transaction uses, for example that of a backup; it is tried again until that has ended';

/**
 * Migrates the schema to the latest version. Replicas that start together wait for one another, by a lock of the
 * transaction: behind a pooler a lock of the session would be another client's, or nobody's. Each migration runs in its
 * own transaction: a single one would hold every lock to the end and deadlock with calls that lock the tables in
 * another order. Throws `DatabaseNotOpenError` for a schema with unknown migrations.
 *
 * A migration that does not get a lock soon is repeated from its start until it does, however long a backup may take;
 * `onWait` is called the first time.
 */
export async function migrateToLatest(
  db: Kysely<Tables>,
  folder = MIGRATIONS,
  onWait: () => void = () => {},
): Promise<void> {
  await refuseOther(db, folder);
  const migrations = await readMigrations(folder);
  const provider = { getMigrations: async () => migrations };
  for (let waits = 0; ; ) {
    const done = await migrateUp(db, provider).catch(nullIfNotLocked);
    if (done === 0) return;
    if (done !== null) continue;
    if (waits++ === 0) onWait();
    await sleep(PAUSE_MS);
  }
}

/** Applies the next migration; returns how many there were, 0 or 1. */
function migrateUp(db: Kysely<Tables>, provider: MigrationProvider): Promise<number> {
  return db.transaction().execute(async (trx) => {
    // A limit of the role or the database would end a long migration each time, and lose its work.
    await sql`set local statement_timeout = 0`.execute(trx);
    await sql`select pg_advisory_xact_lock(${LOCK})`.execute(trx);
    // After that lock, for which a replica waits as long as the other migrates.
    await sql`set local lock_timeout = ${sql.lit(LOCK_TIMEOUT_MS)}`.execute(trx);
    // Migrations developed in parallel may be merged in another order than their numbers.
    const migrator = new Migrator({ db: trx, provider, allowUnorderedMigrations: true });
    const { error, results } = await migrator.migrateUp();
    if (error) throw error;
    return results?.length ?? 0;
  });
}

function nullIfNotLocked(error: unknown): null {
  if (error instanceof Error && 'code' in error && error.code === NOT_LOCKED) return null;
  throw error;
}

/**
 * Whether every migration of this release has been applied. One query on a small table; Kysely's migrator reads every
 * migration.
 */
export async function isMigrated(db: Kysely<Tables>): Promise<boolean> {
  const applied = await appliedMigrations(db);
  return (await migrationNames(MIGRATIONS)).every((name) => applied.has(name));
}

/** A schema created by other migrations cannot be upgraded; its data is left alone. */
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

// One by one: the embedded database accepts a single statement per query.
async function runAll(db: Kysely<unknown>, statements: string[]): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}

async function migrationNames(folder: string): Promise<string[]> {
  return (await readdir(folder)).filter((name) => name.endsWith('.sql')).map((name) => path.basename(name, '.sql'));
}
