// Runs after `npm ci`. Optional: without its result, the first start takes a few seconds longer.
import { mkdir, rename, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { PGlite } from '@electric-sql/pglite';
import { IMAGE_FILE } from './embedded.ts';

const pglite = await PGlite.create();
const image = await pglite.dumpDataDir('gzip');
await pglite.close();
await mkdir(path.dirname(IMAGE_FILE), { recursive: true });
const unfinished = `${IMAGE_FILE}.${process.pid}`;
await writeFile(unfinished, Buffer.from(await image.arrayBuffer()));
await rename(unfinished, IMAGE_FILE);
