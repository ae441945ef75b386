import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Db } from './tables.ts';

/** The id of this installation, shared by its replicas. Not a secret: `/readyz` shows it. */
export async function installationOf(db: Db): Promise<string> {
  return (await db.selectFrom('installation').select('id').executeTakeFirstOrThrow()).id;
}

/** Keeps the id beside the embedded database, which nobody else can open while it is used. */
export async function writeInstallation(dataDir: string, id: string): Promise<void> {
  if ((await readInstallation(dataDir)) !== id) await writeFile(fileIn(dataDir), id);
}

/** The id of the installation whose embedded database is in `dataDir`, or null where none has been. */
export async function readInstallation(dataDir: string): Promise<string | null> {
  return readFile(fileIn(dataDir), 'utf8').catch(() => null);
}

function fileIn(dataDir: string): string {
  return path.join(dataDir, 'installation');
}
