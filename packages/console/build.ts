// Runs after `npm ci`: writes the console's static files to `dist/`, from where the service serves them.
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { type BuildOptions, build } from 'esbuild';

const ROOT = import.meta.dirname;
const DIST = path.join(ROOT, 'dist');
/** Higher qualities take seconds longer and save only a few kilobytes. */
const BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } };

const COMMON: BuildOptions = {
  absWorkingDir: ROOT,
  outdir: 'dist/assets',
  entryNames: '[name]-[hash]',
  chunkNames: '[name]-[hash]',
  assetNames: '[name]-[hash]',
  loader: { '.woff2': 'file' },
  bundle: true,
  minify: true,
  write: false,
  target: 'es2022',
  jsx: 'automatic',
  define: { 'process.env.NODE_ENV': '"production"' },
  legalComments: 'none',
  logLevel: 'warning',
};

const built = await Promise.all([
  build({ ...COMMON, entryPoints: { console: 'src/main.tsx' }, splitting: true, format: 'esm' }),
  // A plain script, because it runs before the first paint, which modules do not block.
  build({ ...COMMON, entryPoints: { theme: 'src/app/theme-early.ts' }, format: 'iife' }),
]);
const outputFiles = built.flatMap((result) => result.outputFiles ?? []);

// Written next to the old one, which a running service may be reading.
const unfinished = `${DIST}.${process.pid}`;
await mkdir(path.join(unfinished, 'assets'), { recursive: true });
const names = outputFiles.map((file) => path.basename(file.path));
await Promise.all(outputFiles.map((file) => write(path.join('assets', path.basename(file.path)), file.contents)));
await write('index.html', Buffer.from(await page(names)));
await write('icon.svg', await readFile(path.join(ROOT, 'src/icon.svg')));
await rm(DIST, { recursive: true, force: true });
await rename(unfinished, DIST);

/** A file, and its compressed versions for browsers that accept Brotli or gzip. */
async function write(name: string, contents: Uint8Array): Promise<void> {
  const file = path.join(unfinished, name);
  await writeFile(file, contents);
  // Fonts are already compressed.
  if (name.endsWith('.woff2')) return;
  const [br, gz] = await Promise.all([promisify(brotliCompress)(contents, BROTLI), promisify(gzip)(contents)]);
  await Promise.all([writeFile(`${file}.br`, br), writeFile(`${file}.gz`, gz)]);
}

/** The page, with the names of its assets. The names contain content hashes, so browsers may cache them forever. */
async function page(names: string[]): Promise<string> {
  const asset = (start: string, end: string) => {
    const found = names.find((name) => name.startsWith(`${start}-`) && name.endsWith(end));
    if (!found) throw new Error(`there is no ${start}${end} among ${names.join(', ')}`);
    return `/console/assets/${found}`;
  };
  const html = await readFile(path.join(ROOT, 'src/index.html'), 'utf8');
  return html
    .replace('FONT', asset('inter-latin-wght-normal', '.woff2'))
    .replace('THEME_JS', asset('theme', '.js'))
    .replace('CONSOLE_JS', asset('console', '.js'))
    .replace('CONSOLE_CSS', asset('console', '.css'));
}
