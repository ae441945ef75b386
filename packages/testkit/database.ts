import { randomUUID } from 'node:crypto';
import { rmSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setFlagsFromString } from 'node:v8';
import type { Database } from '../server/src/db/database.ts';
import { writeInstallation } from '../server/src/db/installation.ts';
import { openDatabase } from '../server/src/db/open.ts';
import { query } from './postgres.ts';
import { borrowDatabase } from './reusable-database.ts';
import { copyTemplate, createFromTemplate } from './template.ts';

const OPTIMIZING = ['--no-liftoff-only', '--wasm-tier-up', '--wasm-dynamic-tiering'];

/**
 * An empty database: PostgreSQL if TEST_DATABASE_URL names a server, otherwise the embedded one. Dropped or emptied
 * when closed. `isPatient` removes the limit on the duration of queries.
 */
export async function openTestDatabase(isPatient = false): Promise<Database> {
  const server = process.env.TEST_DATABASE_URL;
  if (!server) {
    const database = isPatient ? await openOptimized() : await borrowDatabase();
    await writeInstallation(database.location, await becomeAnother(database));
    return database;
  }
  const name = `switchboard_${randomUUID().replaceAll('-', '')}`;
  const url = await createFromTemplate(server, name);
  const database = await openDatabase({ poolMax: 10, onIdleError: () => {}, isPatient, url, dir: '' });
  await becomeAnother(database);
  return {
    ...database,
    close: () => database.close().finally(() => query(server, `drop database ${name} with (force)`)),
  };
}

/** Fills faster than others: `npm test` turns the optimizing compiler off, as most tests end before they profit. */
async function openOptimized(): Promise<Database> {
  for (const flag of OPTIMIZING) setFlagsFromString(flag);
  const dir = await mkdtemp(path.join(tmpdir(), 'switchboard-'));
  // Hundreds of megabytes, in memory: also if the test has not closed it.
  process.on('exit', () => rmSync(dir, { recursive: true, force: true }));
  await copyTemplate(dir);
  return openDatabase({ poolMax: 10, onIdleError: () => {}, isPatient: true, dir });
}

/** Gives a copied database an installation id of its own, and returns it. */
async function becomeAnother({ db }: Database): Promise<string> {
  const { id } = await db
    .updateTable('installation')
    .set({ id: randomUUID() })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}
