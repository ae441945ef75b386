// A database with the current schema and no rows, created once for all tests: copying is much faster than migrating.
import { execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { appendFileSync, cpSync, existsSync } from 'node:fs';
import path from 'node:path';
import { imageDirectory } from '../server/src/db/image.ts';
import { openDatabase } from '../server/src/db/open.ts';
import { query } from './postgres.ts';

const PREPARE_IMAGE = path.resolve(import.meta.dirname, '../server/src/db/prepare-image.ts');
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
  const image = await imageDirectory();
  if (!existsSync(image)) execFileSync(process.execPath, [PREPARE_IMAGE], { stdio: 'inherit' });
  const copy = path.join(dir, 'pg');
  cpSync(image, copy, { recursive: true, filter: (file) => !UNUSED.test(file) });
  // Each process that opens a copy clears this memory first: 128 MB take longer than many tests.
  appendFileSync(path.join(copy, 'postgresql.conf'), 'shared_buffers = 8MB\n');
}

/** Changes with the migrations. */
async function templateName(): Promise<string> {
  return `switchboard_template_${path.basename(await imageDirectory()).replace(/^\w+-/, '')}`;
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

function urlOf(server: string, name: string): string {
  const url = new URL(server);
  url.pathname = `/${name}`;
  return url.href;
}
