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
  'features',
  'features/audit',
  'features/keys',
  'features/console-sessions',
  'features/agents',
  'features/idempotency',
  'features/sessions',
  'features/transcripts',
  'features/turns',
  'features/stats',
  'features/usage',
  'features/prices',
  'features/line',
  'features/callbacks',
  'features/numbers',
  'features/dialling',
  'features/transfers',
  'features/calls',
  'features/history',
  'features/live',
  'features/browsers',
  'features/media-events',
  'features/costs',
  'features/carrier-costs',
  'features/budgets',
  'features/reports',
  'features/health',
  'features/settings',
  'features/doctor',
  'features/privacy',
  'features/maintenance',
];
const TOP = [
  'settings-checks.ts',
  'settings.ts',
  'settings-load.ts',
  'settings-view.ts',
  'config.ts',
  'compose-phones.ts',
  'compose.ts',
  'app.ts',
  'main.ts',
];
/** One that needs more does two jobs. */
const MAX_DEPENDENCIES = 8;
const LAYERS = ['schema.ts', 'store.ts'];
/** Files that other features may import, beside the one that has the feature's name. */
const SHARED = [
  'callbacks/secrets.ts',
  'callbacks/webhooks.ts',
  'calls/inbound.ts',
  'calls/settle.ts',
  'dialling/destinations.ts',
  'dialling/limits.ts',
  'dialling/outbound.ts',
  'dialling/worker-job.ts',
  'dialling/call-data.ts',
  'live/stream-tokens.ts',
  'idempotency/header.ts',
  'transfers/phones.ts',
];
/** Features without endpoints and without data of their own. */
const WITHOUT_FEATURE_FILE = ['line', 'maintenance'];
/** Files that know HTTP beside routes. */
const KNOW_HTTP = ['features/feature.ts', 'features/idempotency/header.ts', 'app.ts', 'main.ts'];
/** Packages from which each part of the repository may import, its own beside them. */
const PACKAGES: Record<string, string[]> = {
  'server/src': [],
  'server/scripts': ['server/src'],
  'server/test': ['server/src', 'server/scripts', 'testkit'],
  testkit: ['server/src', '../worker'],
  'client/src': [],
  'client/scripts': ['client/src'],
  'client/test': ['client', 'client/src', 'client/scripts', 'testkit'],
  console: ['client'],
};

const files = globSync('**/*.ts', { cwd: root });
const imports = files.flatMap((from) =>
  [...readFileSync(path.join(root, from), 'utf8').matchAll(/(?:from|import\()\s*'(\.[^']+)'/g)].map((match) => ({
    from,
    to: path.relative(root, path.resolve(root, path.dirname(from), match[1] ?? '')),
  })),
);
const inside = imports.filter(({ to }) => !to.startsWith('..'));
/** A feature's folder is inside `features/`; a file at the top has none. */
const folder = (file: string) => {
  const [top = '', ...rest] = path.dirname(file).split('/');
  return top === 'features' && rest.length > 0 ? `${top}/${rest[0]}` : top.replace('.', '');
};
const rung = (file: string) => (folder(file) ? RUNGS.indexOf(folder(file)) : RUNGS.length + TOP.indexOf(file));
const isFeature = (file: string) => file.startsWith('features/');
const show = ({ from, to }: { from: string; to: string }) => `${from} -> ${to}`;

test('every file has a rung', () => {
  assert.ok(files.length > 40 && inside.length > 100);
  assert.deepEqual(
    files.filter((file) => rung(file) < 0 || (!folder(file) && !TOP.includes(file))),
    [],
  );
});

test('imports only go down the rungs', () => {
  assert.deepEqual(inside.filter(({ from, to }) => rung(from) < rung(to)).map(show), []);
});

test('there are no import cycles, type imports included', () => {
  const targets = Map.groupBy(inside, ({ from }) => from);
  const seen = new Set<string>();
  const cycles: string[] = [];
  function visit(file: string, way: string[]): void {
    if (way.includes(file)) cycles.push([...way.slice(way.indexOf(file)), file].join(' -> '));
    if (seen.has(file)) return;
    seen.add(file);
    for (const { to } of targets.get(file) ?? []) visit(to, [...way, file]);
  }
  for (const file of files) visit(file, []);
  assert.deepEqual(cycles, []);
});

test('a feature imports another one’s operations or listed files, never its store or its routes', () => {
  const across = inside.filter(({ from, to }) => isFeature(from) && isFeature(to) && folder(from) !== folder(to));
  const isOpen = ({ from, to }: { from: string; to: string }) => {
    const [, feature, file] = to.split('/');
    // Responses of one feature may contain what another one publishes.
    if (file === 'schema.ts') return /(schema|routes)\.ts$/.test(from);
    return file === undefined || file === `${feature}.ts` || SHARED.includes(`${feature}/${file}`);
  };
  assert.deepEqual(across.filter((one) => !isOpen(one)).map(show), []);
  const imported = new Set(across.map(({ to }) => to.replace('features/', '')));
  assert.deepEqual(
    SHARED.filter((file) => !imported.has(file)),
    [],
    'files that are listed as shared and are not',
  );
});

test('every feature has a feature.ts', () => {
  const without = RUNGS.filter((name) => isFeature(name) && !files.includes(`${name}/feature.ts`));
  assert.deepEqual(
    without.map((name) => name.replace('features/', '')),
    WITHOUT_FEATURE_FILE,
  );
});

test('inside a feature: schema < store < operations < routes < feature', () => {
  const layer = (file: string) => {
    const name = path.basename(file);
    if (name === 'feature.ts') return LAYERS.length + 2;
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
    knowing.filter((file) => folder(file) !== 'http' && !file.endsWith('routes.ts') && !KNOW_HTTP.includes(file)),
    [],
  );
});

test('only routes and http know the location of a field in a request', () => {
  const placing = files.filter((file) => /loc: \['/.test(readFileSync(path.join(root, file), 'utf8')));
  const allowed = (file: string) => ['http', 'providers'].includes(folder(file)) || file.endsWith('routes.ts');
  assert.deepEqual(
    placing.filter((file) => !allowed(file)),
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

test(`no factory of a feature has more than ${MAX_DEPENDENCIES} dependencies`, () => {
  const counted = files.flatMap((file) => {
    const [, fields] = /^interface Deps \{\n(.*?)^\}/ms.exec(readFileSync(path.join(root, file), 'utf8')) ?? [];
    return fields ? [{ file, count: fields.match(/^ {2}\w+\??:/gm)?.length ?? 0 }] : [];
  });
  assert.ok(counted.length > 20);
  assert.deepEqual(
    counted.filter(({ count }) => count > MAX_DEPENDENCIES),
    [],
  );
});

test('ARCHITECTURE.md lists every feature', () => {
  const map = readFileSync(path.resolve(root, '../../../ARCHITECTURE.md'), 'utf8');
  const table = map.slice(map.indexOf('| In `src/features/`'), map.indexOf('## Where to look'));
  const named = [...table.matchAll(/^\| (`[^|]+`) \|/gm)].flatMap(([, cell = '']) => cell.match(/[\w-]+(?=\/)/g) ?? []);
  assert.deepEqual(
    named,
    RUNGS.filter((name) => name.startsWith('features/')).map((name) => name.replace('features/', '')),
  );
});

test('only stores write tables, and ARCHITECTURE.md lists each that does', () => {
  const writes =
    /\b(insertInto|updateTable|deleteFrom)\('|\b(insert into|delete from) [a-z_]+|^\s*update [a-z_]+ (as [a-z]+ )?set\b/m;
  const writing = files
    .filter((file) => isFeature(file) && writes.test(readFileSync(path.join(root, file), 'utf8')))
    .map((file) => file.replace('features/', ''));
  const document = readFileSync(path.resolve(root, '../../../ARCHITECTURE.md'), 'utf8');
  const listed = [...document.matchAll(/^ {2}- `([a-z-]+\/[a-z-]*store\.ts)`: /gm)].map(([, file = '']) => file);
  assert.deepEqual(writing.toSorted(), listed.toSorted());
});

test('no source file is over 300 lines', () => {
  assert.deepEqual(
    files.filter((file) => readFileSync(path.join(root, file), 'utf8').split('\n').length > 301),
    [],
  );
});

test('no literal is spread into another one, to hide its length', () => {
  const repository = path.resolve(root, '../../..');
  const sources = globSync('{packages,e2e,reliability,bench,demo,worker}/**/*.{ts,tsx}', {
    cwd: repository,
    exclude: ['**/node_modules/**', '**/generated/**', '**/dist/**'],
  });
  assert.ok(sources.length > 400);
  const spread = /\.\.\.\(?\{|^ *\.\.\.\(?\[.*\]( as const\))?,?$/m;
  assert.deepEqual(
    sources.filter((file) => spread.test(readFileSync(path.join(repository, file), 'utf8'))),
    [],
  );
});

test('a package imports only its allowed dependencies', () => {
  const packages = path.resolve(root, '../..');
  const sources = globSync('**/*.{ts,tsx,js,mjs,cjs}', {
    cwd: packages,
    exclude: ['**/node_modules/**', '**/dist/**'],
  });
  const part = (file: string) =>
    Object.keys(PACKAGES).find((name) => file.startsWith(`${name}/`)) ?? file.split('/').slice(0, 2).join('/');
  const across = sources.flatMap((from) =>
    [...readFileSync(path.join(packages, from), 'utf8').matchAll(/(?:from |import |import\(|require\()'([^']+)'/g)]
      .map(([, name = '']) => name)
      .filter((name) => /^(\.|@switchboard\/)/.test(name))
      .map((name) => name.replace(/^@switchboard\//, `${path.relative(path.dirname(from), '.')}/`))
      .map((name) => ({ from, to: path.join(path.dirname(from), name) }))
      .filter(({ to }) => !to.endsWith('.json') && part(from) !== part(to)),
  );
  assert.ok(across.some(({ from, to }) => part(from) === 'server/test' && part(to) === 'server/src'));
  assert.deepEqual(across.filter(({ from, to }) => !PACKAGES[part(from)]?.includes(part(to))).map(show), []);
});
