import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setFlagsFromString } from 'node:v8';
import type { Database } from '../server/src/db/database.ts';
import { writeInstallation } from '../server/src/db/installation.ts';
import { openDatabase } from '../server/src/db/open.ts';
import { query } from './postgres.ts';
import { copyTemplate, createFromTemplate } from './template.ts';

const OPTIMIZING = ['--no-liftoff-only', '--wasm-tier-up', '--wasm-dynamic-tiering'];

/**
 * An empty database: PostgreSQL if TEST_DATABASE_URL names a server, otherwise the embedded one. Dropped when closed.
 * `isPatient` removes the limit on the duration of queries.
 */
export async function openTestDatabase(isPatient = false): Promise<Database> {
  const server = process.env.TEST_DATABASE_URL;
  const common = { poolMax: 10, onIdleError: () => {}, isPatient };
  if (!server) {
    // `npm test` turns the optimizing compiler off, as most tests end before they would profit from it.
    if (isPatient) for (const flag of OPTIMIZING) setFlagsFromString(flag);
    const DATA_DIR = await mkdtemp(path.join(tmpdir(), 'switchboard-'));
    await copyTemplate(DATA_DIR);
    const database = await openDatabase({ ...common, dir: DATA_DIR });
    await writeInstallation(DATA_DIR, await becomeAnother(database));
    return { ...database, close: () => database.close().finally(() => rm(DATA_DIR, { recursive: true, force: true })) };
  }
  const name = `switchboard_${randomUUID().replaceAll('-', '')}`;
  const url = await createFromTemplate(server, name);
  const database = await openDatabase({ ...common, url, dir: '' });
  await becomeAnother(database);
  return {
    ...database,
    close: () => database.close().finally(() => query(server, `drop database ${name} with (force)`)),
  };
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
