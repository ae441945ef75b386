import { accessSync, constants, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { DatabaseNotOpenError } from './trouble.ts';

/** Another process uses this directory. */
export class DirectoryLockedError extends Error {
  constructor(dir: string, holder: string) {
    super(`${path.resolve(dir)} is in use by ${holder}. Stop that process, or set DATA_DIR to another directory.`);
    this.name = 'DirectoryLockedError';
  }
}

const SQLITE_BUSY = 5;

/**
 * Locks `dir` for this process and returns a function that unlocks it. Throws `DirectoryLockedError` while another
 * process holds the lock. It is SQLite's lock on an empty database: the kernel keeps it while the process is paused
 * and releases it when the process ends, however it ends.
 */
export function lockDirectory(dir: string): () => void {
  const file = path.join(dir, 'lock');
  assertWritable(dir, file);
  const lock = openLock(file, dir);
  try {
    writeFileSync(holderFile(dir), JSON.stringify({ pid: process.pid, host: hostname() }));
  } catch (error) {
    lock.close();
    throw error;
  }
  return () => {
    rmSync(holderFile(dir), { force: true });
    lock.close();
  };
}

function openLock(file: string, dir: string): DatabaseSync {
  let lock: DatabaseSync | undefined;
  try {
    lock = new DatabaseSync(file, { timeout: 0 });
    lock.exec('begin exclusive');
    return lock;
  } catch (error) {
    lock?.close();
    if ((error as { errcode?: number }).errcode === SQLITE_BUSY) throw new DirectoryLockedError(dir, holderOf(dir));
    const why = error instanceof Error ? error.message : String(error);
    throw new DatabaseNotOpenError(
      `DATA_DIR ${path.resolve(dir)} cannot be locked (${file}: ${why}). Set DATA_DIR to another directory, on a disk of this machine.`,
      error,
    );
  }
}

/** SQLite does not say why a file cannot be opened; this throws the file system's error, which does. */
function assertWritable(dir: string, file: string): void {
  accessSync(dir, constants.W_OK | constants.X_OK);
  // Never by opening it: closing any descriptor of a file releases the process's locks on it.
  if (existsSync(file)) accessSync(file, constants.R_OK | constants.W_OK);
}

/** The holder writes its name after acquiring the lock, so the name may be missing briefly. */
function holderOf(dir: string): string {
  try {
    const { pid, host } = JSON.parse(readFileSync(holderFile(dir), 'utf8'));
    return host === hostname() ? `process ${pid}` : `process ${pid} on ${host}`;
  } catch {
    return 'another process';
  }
}

function holderFile(dir: string): string {
  return path.join(dir, 'lock-holder');
}
