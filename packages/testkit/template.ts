// A database with the current schema and no rows, created once for all tests: copying is much faster than migrating.
import { createHash, randomUUID } from 'node:crypto';
import { cpSync, globSync } from 'node:fs';
import { appendFile, mkdir, readFile, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { IMAGE_FILE } from '../server/src/db/embedded.ts';
import { openDatabase } from '../server/src/db/open.ts';
import { query } from './postgres.ts';

const MIGRATIONS = path.resolve(import.meta.dirname, '../server/src/db/migrations');
/** PostgreSQL's own templates, two thirds of the files: nobody creates a database in an embedded one. */
const UNUSED = /\/base\/[14]\/\d/;
const OPTIONS = { poolMax: 2, onIdleError: () => {} };

/** Creates the database `name` on the PostgreSQL server at `server`, and returns its URL. */
export async function createFromTemplate(server: string, name: string): Promise<string> {
  const template = await templateName();
  const copy = () => query(server, `create database ${name} template ${template}`);
  await copy().catch(async (error: { code?: string }) => {
    if (error.code !== '3D000') throw error; // There is no template yet.
    await makeTemplate(server, template);
    await copy();
  });
  return urlOf(server, name);
}

/** Creates the directory `dir`, with the files of an embedded database. */
export async function copyTemplate(dir: string): Promise<void> {
  const template = path.join(path.dirname(IMAGE_FILE), await templateName());
  const copy = () => cpSync(template, dir, { recursive: true, filter: (file) => !UNUSED.test(file) });
  try {
    copy();
  } catch (error) {
    if ((error as { code?: string }).code !== 'ENOENT') throw error;
    await makeEmbeddedTemplate(template);
    copy();
  }
}

/** Changes with the migrations, with this file and with the release of the embedded database. */
async function templateName(): Promise<string> {
  const hash = createHash('sha256')
    .update(path.basename(IMAGE_FILE))
    .update(await readFile(import.meta.filename));
  for (const file of globSync('*.sql', { cwd: MIGRATIONS }).sort()) {
    hash.update(file).update(await readFile(path.join(MIGRATIONS, file)));
  }
  return `switchboard_template_${hash.digest('hex').slice(0, 16)}`;
}

// Created under another name, then renamed: no process copies an incomplete one, and of two processes one wins.
async function makeTemplate(server: string, template: string): Promise<void> {
  const unfinished = `switchboard_unfinished_${randomUUID().replaceAll('-', '')}`;
  await query(server, `create database ${unfinished}`);
  const database = await openDatabase({ ...OPTIONS, url: urlOf(server, unfinished), dir: '' });
  await database.close();
  await query(server, `alter database ${unfinished} rename to ${template}`).catch(async (error: { code?: string }) => {
    await query(server, `drop database ${unfinished}`);
    // Another process was first, or renames its own in this moment.
    if (error.code !== '42P04' && error.code !== '23505') throw error;
  });
}

async function makeEmbeddedTemplate(template: string): Promise<void> {
  const unfinished = `${template}.${process.pid}`;
  await mkdir(path.dirname(template), { recursive: true });
  const database = await openDatabase({ ...OPTIONS, dir: unfinished });
  await database.close();
  // Each process that opens a copy clears this memory first: 128 MB take longer than many tests.
  await appendFile(path.join(unfinished, 'pg/postgresql.conf'), 'shared_buffers = 8MB\n');
  await rename(unfinished, template).catch(async (error: { code?: string }) => {
    await rm(unfinished, { recursive: true });
    if (error.code !== 'ENOTEMPTY' && error.code !== 'EEXIST') throw error; // Another process was first.
  });
}

function urlOf(server: string, name: string): string {
  const url = new URL(server);
  url.pathname = `/${name}`;
  return url.href;
}
