import { type Kysely, sql } from 'kysely';
import { readTime } from './clock.ts';
import type { OnQuery } from './disk.ts';
import { explainEmbedded, openEmbedded } from './embedded.ts';
import { installationOf, writeInstallation } from './installation.ts';
import { isMigrated, migrateToLatest } from './migrate.ts';
import { ensurePartitions } from './partitions.ts';
import { openPostgres } from './postgres.ts';
import type { Tables } from './tables.ts';
import { DatabaseNotOpenError, postgresTrouble } from './trouble.ts';

/** An open, migrated database. Close it once; both kinds behave alike behind `db`. */
export interface Database {
  kind: 'postgres' | 'embedded';
  /** For a person to read; holds no password. */
  location: string;
  db: Kysely<Tables>;
  /** Whether its disk is full, so that nothing can be stored. */
  isFull(): boolean;
  connections(): { total: number; idle: number; waiting: number };
  close(): Promise<void>;
}

/**
 * Opens PostgreSQL when `DATABASE_URL` is set, else the embedded database in `DATA_DIR`, and brings its schema up to
 * date. Throws `DatabaseNotOpenError` for what an operator can mend.
 */
export async function openDatabase(config: {
  DATABASE_URL?: string | undefined;
  DATABASE_POOL_MAX: number;
  DATA_DIR: string;
  onIdleError: (error: Error) => void;
  /** Hears why the partitions of the next months could not be made. */
  onPartitionError?: (error: unknown) => void;
  /** Whether queries may take as long as they take, instead of some seconds. */
  isPatient?: boolean;
  /** Hears of every query once it has ended, for tracing. */
  onQuery?: OnQuery;
}): Promise<Database> {
  const database = config.DATABASE_URL
    ? openPostgres(
        config.DATABASE_URL,
        config.DATABASE_POOL_MAX,
        config.onIdleError,
        config.isPatient ? 0 : undefined,
        config.onQuery,
      )
    : await openEmbedded(config.DATA_DIR, config.onQuery);
  try {
    if (!(await isMigrated(database.db))) await migrate(database.db, config.DATABASE_URL);
    // Rows have a place without them, and the schedule makes them later: no reason not to start.
    await ensurePartitions(database.db, await readTime(database.db)).catch(config.onPartitionError ?? (() => {}));
    // Nobody else can hold the embedded database: whose lease is in it is dead, and need not be waited for.
    if (database.kind === 'embedded') {
      await database.db.deleteFrom('leases').execute();
      await writeInstallation(config.DATA_DIR, await installationOf(database.db));
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
  { DATABASE_URL, DATA_DIR }: { DATABASE_URL?: string | undefined; DATA_DIR: string },
): Promise<unknown> {
  if (!DATABASE_URL) return explainEmbedded(error, DATA_DIR);
  const trouble = postgresTrouble(error, DATABASE_URL);
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

/** Throws when the database does not answer. */
export async function ping(db: Kysely<Tables>): Promise<void> {
  await sql`select 1`.execute(db);
}

// PostgreSQL's classes: 08 connection exception, 40 transaction rollback (a deadlock), 53 insufficient resources, 57P
// operator intervention (shutdown, starting up).
const UNAVAILABLE_SQLSTATE = /^(08|40|53|57P)/;
const UNAVAILABLE_ERRNO =
  /^(ECONNREFUSED|ECONNRESET|EHOSTUNREACH|ENETUNREACH|EPIPE|ETIMEDOUT|ENOTFOUND|EAI_AGAIN|ENOENT)$/;
const UNAVAILABLE_MESSAGE =
  /timeout exceeded when trying to connect|^timeout expired$|Query read timeout|Connection terminated|Client has encountered a connection error|Client was closed/;

/** Whether a query failed because the database could not be reached, so that the same request may succeed later. */
export function isDatabaseUnavailable(error: Error): boolean {
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  return UNAVAILABLE_SQLSTATE.test(code) || UNAVAILABLE_ERRNO.test(code) || UNAVAILABLE_MESSAGE.test(error.message);
}
