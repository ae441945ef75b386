import { access, constants, stat } from 'node:fs/promises';
import path from 'node:path';
import { sql } from 'kysely';
import type { Database } from '../../../db/database.ts';
import { installationOf, readInstallation } from '../../../db/installation.ts';
import { isMigrated } from '../../../db/migrate.ts';
import { openPostgres } from '../../../db/postgres.ts';
import { postgresTrouble } from '../../../db/trouble.ts';
import { type Finding, notChecked, ok, wrong } from '../../../providers/diagnosis.ts';
import type { DoctorSettings } from './doctor-settings.ts';

export interface DoctorDatabase {
  finding: Finding;
  /** The database with its tables, if it is readable; otherwise the reason. Read-only. */
  tables: { db: Database['db'] } | { absent: string };
  /** The installation id in this database; null if there is none, undefined if it cannot be read. */
  installation: string | null | undefined;
  close(): Promise<void>;
}

const CHECK = 'database';
const OLDEST = 150_000;

/** Opens the database and checks whether the service can use it, without writing or migrating. */
export async function openDoctorDatabase({ DATABASE_URL, DATA_DIR }: DoctorSettings): Promise<DoctorDatabase> {
  const nothing = async () => {};
  if (!DATABASE_URL) {
    const absent = 'the embedded database can be opened by one process at a time only';
    const installation = await readInstallation(DATA_DIR);
    return { finding: await checkDirectory(DATA_DIR), tables: { absent }, installation, close: nothing };
  }
  const absent = 'the database could not be read';
  let database: Database;
  try {
    database = openPostgres(DATABASE_URL, { max: 1, onIdleError: () => {} });
  } catch {
    const finding = wrong(CHECK, 'DATABASE_URL cannot be read. Percent-encode the special characters of its password.');
    return { finding, tables: { absent }, installation: undefined, close: nothing };
  }
  const { db, close } = database;
  try {
    const { finding, hasTables } = await look(database);
    const tables = hasTables ? { db } : { absent: 'the database has no tables yet' };
    return { finding, tables, installation: hasTables ? await installationOf(db) : null, close };
  } catch (error) {
    const text =
      postgresTrouble(error, DATABASE_URL) ?? `${database.location} answers with an error. Its log says more.`;
    return { finding: wrong(CHECK, text), tables: { absent }, installation: undefined, close };
  }
}

/** Checks an open database: the service's own. */
export async function inspectDatabase(database: Database): Promise<DoctorDatabase> {
  const close = async () => {};
  try {
    const { finding, hasTables } = await look(database);
    const tables = hasTables ? { db: database.db } : { absent: 'the database has no tables yet' };
    return { finding, tables, installation: await installationOf(database.db), close };
  } catch {
    const finding = wrong(CHECK, `${database.location} answers with an error. The log says more.`);
    return { finding, tables: { absent: 'the database could not be read' }, installation: undefined, close };
  }
}

async function look({ db, location, kind }: Database): Promise<{ finding: Finding; hasTables: boolean }> {
  const { rows } = await sql<{ version: number; read_only: boolean; tables: boolean | null; schemas: boolean }>`
    select current_setting('server_version_num')::integer as version,
      current_setting('transaction_read_only')::boolean as read_only,
      has_schema_privilege(current_schema(), 'create') as tables,
      has_database_privilege(current_database(), 'create') as schemas`.execute(db);
  const { version, read_only, tables, schemas } = rows[0] ?? { version: 0 };
  const major = Math.floor(version / 10_000);
  const hasTables = await isMigrated(db);
  const found = (finding: Finding) => ({ finding, hasTables });
  if (version < OLDEST)
    return found(wrong(CHECK, `${location} is PostgreSQL ${major}; 15 or newer is needed. Use another server.`));
  if (read_only) return found(wrong(CHECK, `${location} can only be read, as a standby can. Use the primary server.`));
  const where = kind === 'embedded' ? `embedded, in ${location}` : `PostgreSQL ${major} at ${location}`;
  if (hasTables) return found(ok(CHECK, `${where}, its tables are up to date`));
  if (tables && schemas) return found(ok(CHECK, `${where}; the service will bring its tables up to date at its start`));
  const owner = 'Make the user of DATABASE_URL the owner of the database.';
  return found(wrong(CHECK, `${where}: its tables are not up to date, and the user may not create any. ${owner}`));
}

async function checkDirectory(dir: string): Promise<Finding> {
  const full = path.resolve(dir);
  const existing = await nearest(full);
  const isWritable = await access(existing, constants.W_OK).then(
    () => true,
    () => false,
  );
  if (!isWritable || !(await stat(existing)).isDirectory())
    return wrong(CHECK, `${existing} is no directory that can be written to. Set DATA_DIR to one.`);
  if (existing !== full) return ok(CHECK, `embedded; ${full} will be made at the start of the service`);
  return notChecked(CHECK, `embedded, in ${full}, which can be written to; only the service itself can look inside`);
}

async function nearest(dir: string): Promise<string> {
  const exists = await stat(dir).then(
    () => true,
    () => false,
  );
  return exists || dir === path.dirname(dir) ? dir : nearest(path.dirname(dir));
}
