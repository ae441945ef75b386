import { mkdir, readFile, rename, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { PGlite } from '@electric-sql/pglite';
import { Kysely, PGliteDialect } from 'kysely';
import { fromPglite } from 'pg-boss';
import packageJson from '../../package.json' with { type: 'json' };
import type { Database } from './database.ts';
import { lockDirectory } from './lock.ts';
import type { Tables } from './tables.ts';

/** An initialised, empty database directory, made by `npm ci`: initialising takes seconds, unpacking a fraction of one. */
export const IMAGE_FILE = path.resolve(
  import.meta.dirname,
  '../../node_modules/.cache/switchboard',
  `pglite-${packageJson.dependencies['@electric-sql/pglite']}.tar.gz`,
);

/** Opens the embedded database in `dataDir` under a lock that no second process can take. */
export async function openEmbedded(dataDir: string): Promise<Database> {
  await mkdir(dataDir, { recursive: true });
  const unlock = lockDirectory(dataDir);
  try {
    const dir = path.join(dataDir, 'pg');
    if (!(await exists(dir))) await initialise(dir);
    const pglite = await PGlite.create({ dataDir: dir });
    return fromInstance(pglite, dataDir, unlock);
  } catch (error) {
    unlock();
    throw error;
  }
}

// A directory that was only half made when the process was killed must not be taken for a database: made aside, then renamed.
async function initialise(dir: string): Promise<void> {
  const unfinished = `${dir}.new`;
  await rm(unfinished, { recursive: true, force: true });
  const pglite = await PGlite.create({ dataDir: unfinished, ...(await imageOptions()) });
  await pglite.close();
  await rename(unfinished, dir);
}

async function imageOptions(): Promise<{ loadDataDir?: Blob }> {
  if (!(await exists(IMAGE_FILE))) return {};
  return { loadDataDir: new Blob([await readFile(IMAGE_FILE)], { type: 'application/gzip' }) };
}

function fromInstance(pglite: PGlite, location: string, unlock: () => void): Database {
  const db = new Kysely<Tables>({ dialect: new PGliteDialect({ pglite }) });
  return {
    kind: 'embedded',
    location,
    db,
    jobs: fromPglite(pglite),
    connections: () => ({ total: 1, idle: 1, waiting: 0 }),
    close: async () => {
      await db.destroy();
      if (!pglite.closed) await pglite.close();
      unlock();
    },
  };
}

function exists(file: string): Promise<boolean> {
  return stat(file).then(
    () => true,
    () => false,
  );
}
