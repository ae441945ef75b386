import type { Kysely } from 'kysely';
import { readTime } from './clock.ts';
import type { Database } from './database.ts';
import type { OnQuery } from './disk.ts';
import { explainEmbedded, openEmbedded } from './embedded.ts';
import { installationOf, writeInstallation } from './installation.ts';
import { isMigrated, migrateToLatest } from './migrate.ts';
import { ensurePartitions } from './partitions.ts';
import { openPostgres } from './postgres.ts';
import type { Tables } from './tables.ts';
import { DatabaseNotOpenError, postgresTrouble } from './trouble.ts';

/**
 * Opens PostgreSQL at `url`, or without one the embedded database in `dir`, and brings its schema up to
 * date. Throws `DatabaseNotOpenError` for what an operator can mend.
 */
export async function openDatabase(config: {
  url?: string | undefined;
  poolMax: number;
  dir: string;
  onIdleError: (error: Error) => void;
  /** Hears why the partitions of the next months could not be made. */
  onPartitionError?: (error: unknown) => void;
  /** Whether queries may take as long as they take, instead of some seconds. */
  isPatient?: boolean;
  /** Hears of every query once it has ended, for tracing. */
  onQuery?: OnQuery;
}): Promise<Database> {
  const database = config.url
    ? openPostgres(config.url, config.poolMax, config.onIdleError, config.isPatient ? 0 : undefined, config.onQuery)
    : await openEmbedded(config.dir, config.onQuery);
  try {
    if (!(await isMigrated(database.db))) await migrate(database.db, config.url);
    // Rows have a place without them, and the schedule makes them later: no reason not to start.
    await ensurePartitions(database.db, await readTime(database.db)).catch(config.onPartitionError ?? (() => {}));
    // Nobody else can hold the embedded database: whose lease is in it is dead, and need not be waited for.
    if (database.kind === 'embedded') {
      await database.db.deleteFrom('leases').execute();
      await writeInstallation(config.dir, await installationOf(database.db));
    }
  } catch (error) {
    // On a full disk closing fails too; why it could not be opened is what matters.
    await database.close().catch(() => {});
    throw await explainTrouble(error, config);
  }
  return database;
}

/** A `DatabaseNotOpenError` in place of an error that an operator can mend; any other is returned as it is. */
async function explainTrouble(
  error: unknown,
  { url, dir }: { url?: string | undefined; dir: string },
): Promise<unknown> {
  if (!url) return explainEmbedded(error, dir);
  const trouble = postgresTrouble(error, url);
  return trouble === null ? error : new DatabaseNotOpenError(trouble, error);
}

/**
 * On a connection of its own, that waits: for another replica that migrates, and for statements over all rows of a
 * large table.
 */
async function migrate(db: Kysely<Tables>, url: string | undefined): Promise<void> {
  if (!url) return migrateToLatest(db);
  const patient = openPostgres(url, 1, () => {}, 0);
  await migrateToLatest(patient.db).finally(() => patient.close());
}
