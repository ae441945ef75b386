import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after } from 'node:test';
import { query } from '@switchboard/testkit/postgres.ts';
import { copyTemplate } from '@switchboard/testkit/template.ts';
import type { Database } from '../../src/db/database.ts';
import { openDatabase } from '../../src/db/open.ts';

/**
 * An empty database for commands: the variables that name it, PostgreSQL where TEST_DATABASE_URL names a server, a
 * directory that is removed when the test file ends, and a way into the database while no command runs.
 */
export async function makeCommandDatabase() {
  const directory = await mkdtemp(path.join(tmpdir(), 'switchboard-command-'));
  after(() => rm(directory, { recursive: true, force: true }));
  const where: Record<string, string> = await whereIn(directory);

  async function inDatabase<T>(work: (db: Database['db']) => Promise<T>): Promise<T> {
    const { DATABASE_URL: url, DATA_DIR: dir = '' } = where;
    const database = await openDatabase({ ...(url && { url }), dir, poolMax: 2, onIdleError: () => {} });
    return work(database.db).finally(() => database.close());
  }

  return { directory, where, inDatabase };
}

async function whereIn(directory: string): Promise<Record<string, string>> {
  const server = process.env.TEST_DATABASE_URL;
  if (!server) {
    const DATA_DIR = path.join(directory, 'data');
    await copyTemplate(DATA_DIR);
    return { DATA_DIR };
  }
  const name = `switchboard_${randomUUID().replaceAll('-', '')}`;
  await query(server, `create database ${name}`);
  after(() => query(server, `drop database ${name} with (force)`));
  const url = new URL(server);
  url.pathname = `/${name}`;
  return { DATABASE_URL: url.href };
}
