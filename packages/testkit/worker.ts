import { spawnSync } from 'node:child_process';
import { hash } from 'node:crypto';
import { mkdirSync, statSync } from 'node:fs';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';

export const WORKER_DIR = path.resolve(import.meta.dirname, '../../worker');
/** Outside the packages' own folders, which `npm ci` empties. */
const LOCKS = path.resolve(import.meta.dirname, '../../node_modules/.cache/switchboard');
/** Longer than an installation takes. */
const PATIENCE_MS = 600_000;

/**
 * Installs the worker's own dependencies if they are missing or do not match its lock file. Of several processes one
 * installs and the others wait, without letting anything else run: an `npm ci` deletes what another has just installed.
 */
export async function installWorker(dir = WORKER_DIR): Promise<void> {
  if (isInstalled(dir)) return;
  mkdirSync(LOCKS, { recursive: true });
  // SQLite's lock on an empty database, which ends with its process.
  const lock = new DatabaseSync(path.join(LOCKS, `install-${hash('sha256', dir)}.lock`), { timeout: PATIENCE_MS });
  try {
    lock.exec('begin exclusive');
    if (!isInstalled(dir)) install(dir);
  } finally {
    lock.close();
  }
}

function isInstalled(dir: string): boolean {
  const [installed = 0, wanted = 0] = ['node_modules/.package-lock.json', 'package-lock.json'].map(
    (file) => statSync(path.join(dir, file), { throwIfNoEntry: false })?.mtimeMs,
  );
  return installed > 0 && wanted > 0 && installed >= wanted;
}

function install(dir: string): void {
  process.stderr.write(`Installing the dependencies of ${dir} with npm ci (about 300 MB, once)\n`);
  const { status, error } = spawnSync('npm', ['ci'], { cwd: dir, stdio: ['ignore', 'ignore', 'inherit'] });
  if (status !== 0)
    throw new Error(`npm ci failed in ${dir}: run it there by hand to see why`, { cause: error ?? undefined });
}
