import type { Kysely } from 'kysely';
import { readTime } from './clock.ts';
import type { Database, OnQuery } from './database.ts';
import { explainEmbedded, openEmbedded } from './embedded.ts';
import { ensureInstallation, writeInstallation } from './installation.ts';
import { isMigrated, MIGRATIONS, migrateToLatest } from './migrate.ts';
import { ensurePartitions } from './partitions.ts';
import { keepsPreparedStatements } from './pooler.ts';
import { openPostgres } from './postgres.ts';
import type { Tables } from './tables.ts';
import { DatabaseNotOpenError, postgresTrouble } from './trouble.ts';

interface DatabaseConfig {
  url?: string | undefined;
  poolMax: number;
  dir: string;
  /** Whether frequent statements are prepared, where that works. By default they are. */
  prepare?: boolean;
  onIdleError: (error: Error) => void;
  /** Called when statements are not prepared because a pooler loses them. */
  onPrepareLost?: () => void;
  /** Called when the partitions of the coming months cannot be created. */
  onPartitionError?: (error: unknown) => void;
  /** Called when a migration has to wait until another transaction releases a table. */
  onMigrationWait?: () => void;
  /** Removes the limit on the duration of queries. */
  isPatient?: boolean;
  /** Called after every query, for tracing. */
  onQuery?: OnQuery;
}

/**
 * Opens PostgreSQL at `url`, or the embedded database in `dir` without one, and migrates its schema. Throws
 * `DatabaseNotOpenError` for problems that an operator can fix.
 */
export async function openDatabase(config: DatabaseConfig): Promise<Database> {
  const database = config.url ? await openServer(config.url, config) : await openEmbedded(config.dir, config.onQuery);
  try {
    if (!(await isMigrated(database.db))) await migrate(database.db, config);
    // Not fatal: rows go to the default partition, and the schedule retries.
    await ensurePartitions(database.db, await readTime(database.db)).catch(config.onPartitionError ?? (() => {}));
    // No other process can use the embedded database, so all leases are stale.
    if (database.kind === 'embedded') {
      await database.db.deleteFrom('leases').execute();
      await database.db.updateTable('work').set({ leased_until: null }).where('leased_until', 'is not', null).execute();
      await writeInstallation(config.dir, await ensureInstallation(database.db));
    }
  } catch (error) {
    // On a full disk closing fails as well; the original error is the one to report.
    await database.close().catch(() => {});
    throw await explainTrouble(error, config);
  }
  return database;
}

async function openServer(url: string, config: DatabaseConfig): Promise<Database> {
  const { poolMax: max, onIdleError, onQuery, isPatient } = config;
  try {
    const prepare = config.prepare !== false && (await keepsPreparedStatements(url));
    if (!prepare && config.prepare !== false) config.onPrepareLost?.();
    return openPostgres(url, { max, onIdleError, onQuery, prepare, queryTimeoutMs: isPatient ? 0 : undefined });
  } catch (error) {
    throw await explainTrouble(error, config);
  }
}

/** Translates errors that an operator can fix into a `DatabaseNotOpenError`; returns any other unchanged. */
async function explainTrouble(
  error: unknown,
  { url, dir }: { url?: string | undefined; dir: string },
): Promise<unknown> {
  if (!url) return explainEmbedded(error, dir);
  const trouble = postgresTrouble(error, url);
  return trouble === null ? error : new DatabaseNotOpenError(trouble, error);
}

/** On a separate connection without a timeout: migrating may wait for another replica, or rewrite a large table. */
async function migrate(db: Kysely<Tables>, { url, onMigrationWait }: DatabaseConfig): Promise<void> {
  if (!url) return migrateToLatest(db);
  const patient = openPostgres(url, { max: 1, onIdleError: () => {}, queryTimeoutMs: 0 });
  await migrateToLatest(patient.db, MIGRATIONS, onMigrationWait).finally(() => patient.close());
}
