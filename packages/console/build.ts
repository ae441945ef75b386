// Runs after `npm ci`: writes the console's static files, and the command `agent-tests` as one file, to `dist/`, from
// where the service serves them.
import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import scalar from '@scalar/fastify-api-reference';
import { type BuildOptions, build, type Plugin } from 'esbuild';
import fastify from 'fastify';

const ROOT = import.meta.dirname;
const DIST = path.join(ROOT, 'dist');
/** The highest qualities take seconds longer and save a few kilobytes. */
const BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: 6 } };

/** The module `template-scenarios`: the scenarios of each template, by its key, in the order of their names. */
const TEMPLATE_SCENARIOS: Plugin = {
  name: 'template-scenarios',
  setup: ({ onResolve, onLoad }) => {
    onResolve({ filter: /^template-scenarios$/ }, ({ path: name }) => ({ path: name, namespace: name }));
    onLoad({ filter: /./, namespace: 'template-scenarios' }, async () => {
      const folder = path.resolve(ROOT, '../templates/scenarios');
      const texts: Record<string, string[]> = {};
      for (const file of (await readdir(folder, { recursive: true })).sort()) {
        const [key = '', name] = file.split(path.sep);
        if (name) texts[key] = [...(texts[key] ?? []), await readFile(path.join(folder, file), 'utf8')];
      }
      return { contents: JSON.stringify(texts), loader: 'json' };
    });
  },
};

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

/** The command without dependencies: `GET /agent-tests.mjs`. People may read what they run: it is not minified. */
const COMMAND: BuildOptions = {
  absWorkingDir: ROOT,
  entryPoints: { 'agent-tests': '../scenarios/scripts/agent-tests.ts' },
  outdir: 'dist',
  bundle: true,
  write: false,
  platform: 'node',
  format: 'esm',
  target: 'node24',
  define: { IN_BUNDLE: 'true' },
  // Packages in CommonJS require modules of Node.js.
  banner: {
    js: "import { createRequire } from 'node:module';\nconst require = createRequire(import.meta.url);",
  },
  logLevel: 'warning',
};

const [scalarFile, command, ...built] = await Promise.all([
  readScalar(),
  build(COMMAND),
  build({
    ...COMMON,
    entryPoints: { console: 'src/main.tsx' },
    splitting: true,
    format: 'esm',
    plugins: [TEMPLATE_SCENARIOS],
  }),
  // A plain script, because it runs before the first paint, which modules do not block.
  build({ ...COMMON, entryPoints: { theme: 'src/app/theme-early.ts' }, format: 'iife' }),
  build({ ...COMMON, entryPoints: { reference: 'src/reference/reference.ts' }, format: 'iife' }),
]);
const outputs = built.flatMap((result) => result.outputFiles ?? []);
const assets = new Map([scalarFile, ...outputs.map((file) => [path.basename(file.path), file.contents] as const)]);

// Written next to the old one, which a running service may be reading.
const unfinished = `${DIST}.${process.pid}`;
await mkdir(path.join(unfinished, 'assets'), { recursive: true });
await Promise.all([...assets].map(([name, contents]) => write(path.join('assets', name), contents)));
await write('index.html', Buffer.from(await page('src/index.html')));
await writeFile(path.join(unfinished, 'reference.html'), await page('src/reference/index.html'));
const [script] = command.outputFiles ?? [];
if (!script) throw new Error('the command has no file');
await write('agent-tests.mjs', script.contents);
await write('scenario.json', await readFile(path.resolve(ROOT, '../scenarios/scenario.schema.json')));
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

/** A page, with the names of its assets. The names contain content hashes, so browsers may cache them forever. */
async function page(file: string): Promise<string> {
  const names = [...assets.keys()];
  const asset = (start: string, end: string) => {
    const found = names.find((name) => name.startsWith(`${start}-`) && name.endsWith(end));
    if (!found) throw new Error(`there is no ${start}${end} among ${names.join(', ')}`);
    return `/console/assets/${found}`;
  };
  const html = await readFile(path.join(ROOT, file), 'utf8');
  return html
    .replace('FONT', asset('inter-latin-wght-normal', '.woff2'))
    .replace(/\b(THEME|CONSOLE|REFERENCE|SCALAR)_(JS|CSS)\b/g, (_, name: string, type: string) =>
      asset(name.toLowerCase(), `.${type.toLowerCase()}`),
    );
}

/** Scalar's script: its plugin for Fastify contains it bundled, and needs a hundred packages less than its sources. */
async function readScalar(): Promise<[name: string, contents: Uint8Array]> {
  const app = fastify();
  await app.register(scalar, { routePrefix: '/docs', configuration: { url: '/openapi.json' } });
  const { statusCode, rawPayload } = await app.inject('/docs/js/scalar.js');
  if (statusCode !== 200) throw new Error(`Scalar's plugin answers ${statusCode} for its script`);
  return [`scalar-${createHash('sha256').update(rawPayload).digest('hex').slice(0, 8)}.js`, rawPayload];
}
