import { spawnSync } from 'node:child_process';
import { stat } from 'node:fs/promises';
import path from 'node:path';

export const WORKER_DIR = path.resolve(import.meta.dirname, '../../worker');

/** Installs the worker's own dependencies if they are missing or do not match its lock file. */
export async function installWorker(): Promise<void> {
  const [installed, wanted] = await Promise.all(
    ['node_modules/.package-lock.json', 'package-lock.json'].map((file) =>
      stat(path.join(WORKER_DIR, file)).then(
        ({ mtimeMs }) => mtimeMs,
        () => 0,
      ),
    ),
  );
  if (installed && wanted && installed >= wanted) return;
  process.stderr.write(`Installing the dependencies of ${WORKER_DIR} with npm ci (about 300 MB, once)\n`);
  const { status, error } = spawnSync('npm', ['ci'], { cwd: WORKER_DIR, stdio: ['ignore', 'ignore', 'inherit'] });
  if (status !== 0)
    throw new Error(`npm ci failed in ${WORKER_DIR}: run it there by hand to see why`, { cause: error ?? undefined });
}
