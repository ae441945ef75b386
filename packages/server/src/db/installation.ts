import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { sql } from 'kysely';
import type { Db } from './tables.ts';

/** The installation's id, shared by its replicas. Not a secret: `/readyz` returns it. */
export async function installationOf(db: Db): Promise<string> {
  return (await db.selectFrom('installation').select('id').executeTakeFirstOrThrow()).id;
}

/** The id of an installation, which a copied image of a database does not have yet. */
export async function ensureInstallation(db: Db): Promise<string> {
  await sql`insert into installation select gen_random_uuid() where not exists (select from installation)`.execute(db);
  return installationOf(db);
}

/** Also writes the id to a file beside the embedded database, which no other process can open while it is in use. */
export async function writeInstallation(dataDir: string, id: string): Promise<void> {
  if ((await readInstallation(dataDir)) !== id) await writeFile(fileIn(dataDir), id);
}

/** The id of the installation whose embedded database is in `dataDir`; null without one. */
export async function readInstallation(dataDir: string): Promise<string | null> {
  return readFile(fileIn(dataDir), 'utf8').catch(() => null);
}

function fileIn(dataDir: string): string {
  return path.join(dataDir, 'installation');
}
