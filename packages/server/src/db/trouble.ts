import path from 'node:path';
import { errorCode, isTlsTrouble, networkTrouble } from '../lib/network-trouble.ts';
import { describeUrl } from './connection-url.ts';

/**
 * The database cannot be opened, for a reason that an operator can fix. The message names the reason and the remedy.
 */
export class DatabaseNotOpenError extends Error {
  /** The error code of the cause. */
  readonly code: string;

  constructor(message: string, cause: unknown) {
    super(message, { cause });
    this.name = 'DatabaseNotOpenError';
    this.code = errorCode(cause) ?? 'unknown';
  }
}

const CHECK = 'Check DATABASE_URL, and whether the server runs and can be reached from here.';

/**
 * Why PostgreSQL cannot be used, with the remedy and without the password; null for problems that an operator cannot
 * fix.
 */
export function postgresTrouble(error: unknown, url: string): string | null {
  const { location, user, database, host, port } = describeUrl(url);
  const where = `PostgreSQL at ${location} (DATABASE_URL)`;
  const code = errorCode(error) ?? '';
  const message = error instanceof Error ? error.message : '';
  const file = error instanceof Error && 'path' in error && 'syscall' in error && error.syscall === 'open';
  if (file)
    return `DATABASE_URL names the file ${error.path}, which cannot be read (${code}). Correct sslrootcert, sslcert or sslkey.`;
  if (/does not support SSL/.test(message))
    return `${where} takes no TLS connections, and sslmode asks for one. Switch TLS on at the server, or set sslmode=disable on a network that you trust.`;
  if (isTlsTrouble(code))
    return `${where} shows a certificate that is not accepted (${code}). Name the file of its certificate authority with sslrootcert, and the server as its certificate does; see docs/operations.md.`;
  if (/^28/.test(code) && /no encryption|SSL off/.test(message))
    return `${where} refuses connections without TLS. Add ?sslmode=verify-full to DATABASE_URL; see docs/operations.md.`;
  if (/^28/.test(code) && user === '')
    return `${where} needs a user, and DATABASE_URL names none. Write it as postgres://user:password@${location}.`;
  if (/^28/.test(code)) return `${where} refuses the user "${user}" or its password. Correct them in DATABASE_URL.`;
  if (code === '3D000')
    return `${where}: there is no database "${database}". Create it (createdb -h ${host} -p ${port} -U ${user} ${database}), or correct DATABASE_URL.`;
  if (code === '42501')
    return `${where}: the user "${user}" may not read or create tables. Make it the owner of the database "${database}".`;
  if (/^53[12]/.test(code)) return `${where}: the server's disk or memory is full. Free some, and start again.`;
  if (code === '53300')
    return `${where} takes no more connections. Raise its max_connections, or lower DATABASE_POOL_MAX.`;
  if (/^57P/.test(code)) return `${where} is starting or stopping. Start again in a moment.`;
  // The server's own words, or a pooler's: they name what is wrong, such as a parameter that it does not support.
  if (code.startsWith('08') && error instanceof Error && 'severity' in error)
    return `${where} refuses the connection: ${message}. Correct DATABASE_URL, or the configuration of the server or the pooler in front of it.`;
  if (/timeout/.test(message)) return `${where}: it does not answer in time. ${CHECK}`;
  if (/^(E[A-Z_]+|08\w{3})$/.test(code) || /^Connection terminated/.test(message))
    return `${where} cannot be reached: ${networkTrouble(error)}. ${CHECK}`;
  return /^[0-9A-Z]{5}$/.test(code) ? `${where} answers with error ${code}: ${message}. Its log says more.` : null;
}

const DISK_FULL = /^(ENOSPC|EDQUOT|53100)$/;
const DIRECTORY: Record<string, string> = {
  EACCES: 'this user may not write there',
  EPERM: 'this user may not write there',
  EROFS: 'its file system is read-only',
  ENOTDIR: 'it is not a directory, or lies below a file',
  EEXIST: 'it is not a directory',
  EFBIG: 'files may not be as large there as a database needs (ulimit -f, or the file system)',
  ENOENT: 'no directory can be made there',
  ENAMETOOLONG: 'its name is too long',
  ELOOP: 'its symbolic links form a loop',
};

/** Why the embedded database cannot use `dir`, with the remedy; null for problems that an operator cannot fix. */
export function directoryTrouble(error: unknown, dir: string, freeBytes: number | null): string | null {
  const where = `DATA_DIR ${path.resolve(dir)}`;
  const code = errorCode(error) ?? '';
  if (DISK_FULL.test(code) || (freeBytes !== null && freeBytes < NEEDED_BYTES))
    return `${where}: the disk is full (${Math.floor((freeBytes ?? 0) / 1e6)} MB free, a new database takes 50). Free some space, or set DATA_DIR to a directory on another disk.`;
  if (error instanceof Error && error.name === 'RuntimeError')
    return `${where}: the embedded database cannot start there (${error.message}). Put a backup in its place, or set DATA_DIR to another directory.`;
  return DIRECTORY[code]
    ? `${where} cannot be used: ${DIRECTORY[code]}. Set DATA_DIR to a directory that can be written to.`
    : null;
}

/** Whether the database has stopped for good, for example because it cannot write its log. */
export function isPanic(error: unknown): error is Error {
  return error instanceof Error && 'severity' in error && error.severity === 'PANIC';
}

/** Why the embedded database has stopped while running, with the remedy. */
export function panicSentence(error: Error, dir: string): string {
  const what = DISK_FULL.test(errorCode(error) ?? '') ? 'Free some space on its disk, and start again' : 'Start again';
  return `Switchboard has ended: the embedded database in DATA_DIR ${path.resolve(dir)} has stopped (${error.message}). ${what}: acknowledged data is kept.`;
}

/** A new database takes 46 MB; an existing one needs a log segment (16 MB). */
const NEEDED_BYTES = 17e6;
