import { writeSync } from 'node:fs';
import { cp, mkdir, rename, rm, stat, statfs } from 'node:fs/promises';
import path from 'node:path';
import { PGlite, types } from '@electric-sql/pglite';
import { PGliteDialect } from 'kysely';
import pg from 'pg';
import { createLoopTurns } from '../lib/turns.ts';
import type { Database, OnQuery } from './database.ts';
import { watchDisk } from './disk.ts';
import { imageDirectory } from './image.ts';
import { lockDirectory } from './lock.ts';
import { type Opening, openResults } from './opening.ts';
import { createRetry, RetryingKysely } from './retry.ts';
import { DatabaseNotOpenError, directoryTrouble, isPanic, panicSentence } from './trouble.ts';

/** Opens the embedded database in `dataDir` under an exclusive lock. */
export async function openEmbedded(dataDir: string, onQuery?: OnQuery): Promise<Database> {
  let unlock: (() => void) | undefined;
  try {
    await makeDirectory(path.resolve(dataDir));
    unlock = lockDirectory(dataDir);
    const dir = path.join(dataDir, 'pg');
    if (!(await exists(dir))) await initialize(dir);
    const pglite = await PGlite.create({ dataDir: dir, parsers: PARSERS });
    yieldBetweenQueries(pglite);
    endWithDatabase(pglite, dataDir);
    return fromInstance(pglite, dataDir, unlock, onQuery);
  } catch (error) {
    unlock?.();
    throw await explainEmbedded(error, dataDir);
  }
}

// As with a server: the embedded database's own parser reads the years 1 to 99 as others, or as no date.
const PARSERS = { [types.TIMESTAMPTZ]: pg.types.getTypeParser(types.TIMESTAMPTZ) };

// Not `recursive`: that loops forever below directories such as /proc that refuse new entries.
async function makeDirectory(dir: string): Promise<void> {
  try {
    await mkdir(dir);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST' && (await stat(dir)).isDirectory()) return;
    if (code !== 'ENOENT' || dir === path.dirname(dir)) throw error;
    await makeDirectory(path.dirname(dir));
    await mkdir(dir);
  }
}

// Created under another name and then renamed, so that a killed process leaves no half-initialized database.
async function initialize(dir: string): Promise<void> {
  const unfinished = `${dir}.new`;
  await rm(unfinished, { recursive: true, force: true });
  try {
    if (!(await copyImage(unfinished))) await PGlite.create({ dataDir: unfinished }).then((pglite) => pglite.close());
    await rename(unfinished, dir);
  } catch (error) {
    await rm(unfinished, { recursive: true, force: true });
    throw error;
  }
}

/** Copies the image of a new database to `dir`; false, with nothing left there, without one. */
async function copyImage(dir: string): Promise<boolean> {
  try {
    await cp(await imageDirectory(), dir, { recursive: true });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    await rm(dir, { recursive: true, force: true });
    return false;
  }
}

/** Emscripten's errno values; its file system errors have no message. */
const ERRNO: Record<number, string> = {
  2: 'EACCES',
  19: 'EDQUOT',
  22: 'EFBIG',
  51: 'ENOSPC',
  63: 'EPERM',
  69: 'EROFS',
};

/**
 * The error as a sentence for the operator, if there is a remedy. The embedded database may throw values that are not
 * an `Error`.
 */
export async function explainEmbedded(error: unknown, dataDir: string): Promise<Error> {
  const thrown = error instanceof Error ? error : toError(error);
  const trouble = directoryTrouble(thrown, dataDir, await freeBytes(dataDir));
  return trouble === null ? thrown : new DatabaseNotOpenError(trouble, error);
}

/** Queries run in this thread; without a pause, queued ones would block the event loop. */
function yieldBetweenQueries(pglite: PGlite): void {
  const turns = createLoopTurns();
  const exec = pglite.execProtocolStream.bind(pglite);
  pglite.execProtocolStream = async (...args) => {
    if (!turns.isFree()) await turns.wait('');
    return exec(...args);
  };
}

/** After a panic the next query never returns and no timer fires, so the process exits first. */
function endWithDatabase(pglite: PGlite, dataDir: string): void {
  const exec = pglite.execProtocolStream.bind(pglite);
  pglite.execProtocolStream = (...args) =>
    exec(...args).catch((error) => {
      if (!isPanic(error)) throw error;
      writeSync(process.stderr.fd, `${panicSentence(error, dataDir)}\n`);
      process.exit(1);
    });
}

function toError(thrown: unknown): Error {
  const { errno = 0 } = (thrown ?? {}) as { errno?: number };
  return Object.assign(new Error(`the embedded database failed: ${JSON.stringify(thrown)}`), { code: ERRNO[errno] });
}

/** Bytes that an unprivileged process can still write at `dir`; null if unknown. */
async function freeBytes(dir: string): Promise<number | null> {
  const fs = await statfs(dir).catch(() => null);
  // Virtual file systems such as /proc have no blocks.
  return fs && fs.blocks > 0 ? fs.bavail * fs.bsize : null;
}

function fromInstance(pglite: PGlite, location: string, unlock: () => void, onQuery?: OnQuery): Database {
  const disk = watchDisk(() => freeBytes(location));
  const retry = createRetry();
  const opening: Opening = { open: null };
  const dialect = new PGliteDialect({ pglite, onCreateConnection: openResults(opening, disk.failed) });
  const db = new RetryingKysely({ dialect, ...(onQuery && { log: onQuery }) }, retry);
  return {
    kind: 'embedded',
    location,
    db,
    opening,
    isFull: disk.isFull,
    connections: () => ({ total: 1, idle: 1, waiting: 0 }),
    conflicts: retry.counts,
    close: async () => {
      disk.stop();
      try {
        await db.destroy();
        if (!pglite.closed) await pglite.close();
      } finally {
        unlock();
      }
    },
  };
}

function exists(file: string): Promise<boolean> {
  return stat(file).then(
    () => true,
    () => false,
  );
}
