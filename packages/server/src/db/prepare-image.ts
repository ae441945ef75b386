// Runs after `npm ci`. Optional: without its result, the first start takes some seconds longer.
import { existsSync } from 'node:fs';
import { chmod, mkdir, readdir, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { openEmbedded } from './embedded.ts';
import { imageDirectory } from './image.ts';
import { migrateToLatest } from './migrate.ts';

const image = await imageDirectory();
if (!existsSync(image)) await make();

/** Under another name first: nobody copies an incomplete one, and of two processes one wins. */
async function make(): Promise<void> {
  await removeOthers();
  const unfinished = `${image}.${process.pid}`;
  const database = await openEmbedded(unfinished);
  await migrateToLatest(database.db);
  // Each copy gets an id of its own when it is opened.
  await database.db.deleteFrom('installation').execute();
  await database.close();
  // The embedded database lets everybody write to its files, and every new one is a copy of these.
  for (const entry of await readdir(unfinished, { recursive: true, withFileTypes: true }))
    if (entry.isFile()) await chmod(path.join(entry.parentPath, entry.name), 0o644);
  await rename(path.join(unfinished, 'pg'), image).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOTEMPTY' && error.code !== 'EEXIST') throw error;
  });
  await rm(unfinished, { recursive: true });
}

/** Those of other releases and migrations. */
async function removeOthers(): Promise<void> {
  const cache = path.dirname(image);
  await mkdir(cache, { recursive: true });
  for (const name of await readdir(cache)) {
    const isOther = name.startsWith('database-') && !name.startsWith(path.basename(image));
    if (!isOther) continue;
    // At once, so that whoever is copying it fails, and copies no half of it.
    const removed = path.join(cache, `removed-${process.pid}-${name}`);
    await rename(path.join(cache, name), removed);
    await rm(removed, { recursive: true });
  }
}
