import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import packageJson from '../../package.json' with { type: 'json' };
import { MIGRATIONS } from './migrate.ts';

const CACHE = path.resolve(import.meta.dirname, '../../../../node_modules/.cache/switchboard');

/**
 * The directory of an embedded database with the schema of this release and no rows, which `npm ci` makes: initializing
 * and migrating one takes seconds, copying far less. Named after what it depends on, what makes it included, so that
 * another release, or a migration that is being written, does not find it.
 */
export async function imageDirectory(): Promise<string> {
  const hash = createHash('sha256').update(packageJson.dependencies['@electric-sql/pglite']);
  hash.update(await readFile(path.join(import.meta.dirname, 'prepare-image.ts')));
  for (const file of (await readdir(MIGRATIONS)).sort()) {
    hash.update(file).update(await readFile(path.join(MIGRATIONS, file)));
  }
  return path.join(CACHE, `database-${hash.digest('hex').slice(0, 16)}`);
}
