import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';

const root = path.resolve(import.meta.dirname, '../src');
const RUNGS = [
  'lib',
  'db',
  'providers',
  'http',
  'audit',
  'keys',
  'agents',
  'sessions',
  'usage',
  'callbacks',
  'numbers',
  'calls',
  'media-events',
  'costs',
  'privacy',
];
const TOP = ['config-checks.ts', 'config.ts', 'compose.ts', 'app.ts', 'main.ts'];
const LAYERS = ['schema.ts', 'store.ts'];

const files = globSync('**/*.ts', { cwd: root });
const imports = files.flatMap((from) =>
  [...readFileSync(path.join(root, from), 'utf8').matchAll(/(?:from|import\()\s*'(\.[^']+)'/g)].map((match) => ({
    from,
    to: path.relative(root, path.resolve(root, path.dirname(from), match[1] ?? '')),
  })),
);
const inside = imports.filter(({ to }) => !to.startsWith('..'));
const folder = (file: string) => (file.includes(path.sep) ? (file.split(path.sep)[0] ?? '') : '');
const rung = (file: string) => (folder(file) ? RUNGS.indexOf(folder(file)) : RUNGS.length + TOP.indexOf(file));
const isFeature = (file: string) => RUNGS.indexOf(folder(file)) >= RUNGS.indexOf('audit');
const show = ({ from, to }: { from: string; to: string }) => `${from} -> ${to}`;

test('there is something to check, and every file has its rung', () => {
  assert.ok(files.length > 40 && inside.length > 100);
  assert.deepEqual(
    files.filter((file) => rung(file) < 0 || (!folder(file) && !TOP.includes(file))),
    [],
  );
});

test('imports go down the rungs only', () => {
  assert.deepEqual(inside.filter(({ from, to }) => rung(from) < rung(to)).map(show), []);
});

test('a feature reaches another through its operations, never its store or its routes', () => {
  const across = inside.filter(({ from, to }) => isFeature(from) && isFeature(to) && folder(from) !== folder(to));
  assert.deepEqual(across.filter(({ to }) => /(store|routes)\.ts$/.test(to)).map(show), []);
});

test('inside a feature: schema < store < operations < routes', () => {
  const layer = (file: string) => {
    const name = path.basename(file);
    if (name.endsWith('routes.ts')) return LAYERS.length + 1;
    const index = LAYERS.findIndex((end) => name.endsWith(end));
    return index < 0 ? LAYERS.length : index;
  };
  const within = inside.filter(({ from, to }) => isFeature(from) && folder(from) === folder(to));
  assert.deepEqual(within.filter(({ from, to }) => layer(from) < layer(to)).map(show), []);
});

test('only routes and http know HTTP', () => {
  const knowing = files.filter((file) =>
    /from 'fastify'|http\/(server|responses|caller)\.ts'/.test(readFileSync(path.join(root, file), 'utf8')),
  );
  assert.deepEqual(
    knowing.filter(
      (file) => folder(file) !== 'http' && !file.endsWith('routes.ts') && !['app.ts', 'main.ts'].includes(file),
    ),
    [],
  );
});

test('only main.ts picks adapters, and only config.ts and main.ts read the environment', () => {
  const adapters = inside.filter(
    ({ from, to }) =>
      /^providers\/(media|carrier)\/(sandbox|livekit|twilio)\.ts$/.test(to) && folder(from) !== 'providers',
  );
  assert.deepEqual(adapters.filter(({ from }) => from !== 'main.ts').map(show), []);
  const readers = files.filter((file) => readFileSync(path.join(root, file), 'utf8').includes('process.env'));
  assert.deepEqual(
    readers.filter((file) => !['main.ts', 'config.ts'].includes(file)),
    [],
  );
});

test('no source file is over 300 lines', () => {
  assert.deepEqual(
    files.filter((file) => readFileSync(path.join(root, file), 'utf8').split('\n').length > 301),
    [],
  );
});
