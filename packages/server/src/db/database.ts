import { type Kysely, type LogEvent, sql } from 'kysely';
import type { Opening } from './opening.ts';
import type { ConflictCounts } from './retry.ts';
import type { Tables } from './tables.ts';

/** An open, migrated database. Close it once; both kinds behave alike behind `db`. */
export interface Database {
  kind: 'postgres' | 'embedded';
  /** Human-readable; contains no password. */
  location: string;
  db: Kysely<Tables>;
  /** Decrypts what its results contain, once its keys are there. */
  opening: Opening;
  /** Whether the disk is full, so that nothing can be written. */
  isFull(): boolean;
  connections(): { total: number; idle: number; waiting: number };
  /** Conflicts with concurrent transactions since the start of the process. */
  conflicts(): ConflictCounts;
  close(): Promise<void>;
}

/** Kysely's log event: the query's text with placeholders, its duration, and its error. */
export type OnQuery = (event: LogEvent) => void;

/** Throws when the database does not respond. */
export async function ping(db: Kysely<Tables>): Promise<void> {
  await sql`select 1`.execute(db);
}

// PostgreSQL's classes: 08 connection exception, 53 insufficient resources, 57P operator intervention (shutdown,
// starting up). 25006: the server has become a standby. 55P03: a lock was not free in time.
const UNAVAILABLE_SQLSTATE = /^(08|53|57P|25006|55P03)/;
const UNAVAILABLE_ERRNO =
  /^(ECONNREFUSED|ECONNRESET|EHOSTUNREACH|ENETUNREACH|EPIPE|ETIMEDOUT|ENOTFOUND|EAI_AGAIN|ENOENT)$/;
const UNAVAILABLE_MESSAGE =
  /timeout exceeded when trying to connect|^timeout expired$|Query read timeout|Connection terminated|Client has encountered a connection error|Client was closed/;

/** Whether a query failed because the database was unavailable, so that the same request may succeed later. */
export function isDatabaseUnavailable(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  return UNAVAILABLE_SQLSTATE.test(code) || UNAVAILABLE_ERRNO.test(code) || UNAVAILABLE_MESSAGE.test(error.message);
}
