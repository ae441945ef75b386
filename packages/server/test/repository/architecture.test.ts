import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import {
  FEATURES,
  files,
  folderOf,
  hasRung,
  type Import,
  imports,
  isDown,
  isFeature,
  SOURCE,
} from '../../scripts/support/source-map.ts';

const root = SOURCE;
/** One that needs more does two jobs. */
const MAX_DEPENDENCIES = 8;
const LAYERS = ['schema.ts', 'store.ts'];
/** Files that other features may import, beside the one that has the feature's name. */
const SHARED = [
  'access/data-keys/content.ts',
  'access/idempotency/header.ts',
  'calling/calls/inbound.ts',
  'calling/conductor/parties.ts',
  'calling/outbound/call-data.ts',
  'calling/outbound/dial-attempts.ts',
  'calling/outbound/decision-schema.ts',
  'calling/outbound/dial-decisions.ts',
  'calling/outbound/destinations.ts',
  'calling/outbound/limits.ts',
  'calling/outbound/placing.ts',
  'calling/outbound/ring.ts',
  'calling/streams/stream-tokens.ts',
  'conversations/agents/config-check.ts',
  'conversations/agents/tool-schema.ts',
  'conversations/agents/model-schema.ts',
  'conversations/agents/privacy-schema.ts',
  'conversations/agents/privacy.ts',
  'delivery/callbacks/webhooks.ts',
];
/** Features without endpoints and without data of their own. */
const WITHOUT_FEATURE_FILE = ['ledger/line-charges', 'calling/conductor', 'ops/maintenance'];
/** Files that know HTTP beside routes. */
const KNOW_HTTP = ['access/idempotency/header.ts', 'app.ts', 'feature.ts', 'main.ts'];
/** Packages from which each part of the repository may import, its own beside them. */
const PACKAGES: Record<string, string[]> = {
  guard: [],
  'server/src': [
    'client/consent',
    'client/functions',
    'client/variables',
    'guard',
    'redaction',
    'redaction/json',
    'redaction/patterns',
    'redaction/types',
    'rules',
    'rules/extract',
    'rules/opt-out',
    'rules/questions',
    'scenarios/agent',
    'scenarios/cassette',
    'scenarios/format',
    'scenarios/outcome',
    'scenarios/read',
    'scenarios/rules-agent',
    'scenarios/schema',
    'scenarios/statistics',
  ],
  'server/scripts': ['server/src', 'client/evidence-files'],
  'server/test': [
    'server/src',
    'server/scripts',
    'testkit',
    'client',
    'client/evidence',
    'client/outbox',
    'redaction/test',
    'scenarios/read',
    'scenarios/schema',
  ],
  testkit: ['server/src', '../worker'],
  'client/src': [],
  'client/scripts': ['client/src'],
  'client/test': ['client', 'client/src', 'client/scripts', 'testkit'],
  console: ['client', 'client/consent', 'client/functions', 'client/methods', 'templates'],
  'redaction/src': [],
  'redaction/scripts': ['redaction/test'],
  'redaction/test': ['redaction/src'],
  'rules/src': [],
  'rules/test': ['rules/src'],
  'scenarios/src': ['client/consent', 'client/variables', 'rules', 'rules/opt-out'],
  'scenarios/scripts': ['client', 'scenarios/src', 'templates'],
  'scenarios/test': ['client', 'rules', 'scenarios/src', 'templates', 'testkit'],
  templates: ['client'],
};

const show = ({ from, to }: Import) => `${from} -> ${to}`;

test('every file has a rung', () => {
  assert.ok(files.length > 40 && imports.length > 100);
  assert.deepEqual(
    files.filter((file) => !hasRung(file)),
    [],
  );
});

test('imports only go down the rungs, and never to a wing beside', () => {
  assert.deepEqual(imports.filter((one) => !isDown(one)).map(show), []);
});

test('there are no import cycles in any package, type imports included', () => {
  const repository = path.resolve(root, '../../..');
  const sources = globSync('{packages,worker,e2e,reliability,bench,demo,examples}/**/*.{ts,tsx,js,mjs,cjs}', {
    cwd: repository,
    exclude: ['**/node_modules/**', '**/dist/**'],
  });
  for (const part of [...Object.keys(PACKAGES).map((name) => path.join('packages', name)), 'worker'])
    assert.ok(
      sources.some((file) => file.startsWith(`${part}/`)),
      `${part} has no sources`,
    );
  const known = new Set(sources);
  const targets = (from: string) =>
    [...readFileSync(path.join(repository, from), 'utf8').matchAll(/(?:from |import |import\()\s*'(\.[^']+)'/g)]
      .map(([, name = '']) => path.join(path.dirname(from), name))
      .filter((to) => known.has(to));
  const seen = new Set<string>();
  const cycles: string[] = [];
  function visit(file: string, way: string[]): void {
    if (way.includes(file)) cycles.push([...way.slice(way.indexOf(file)), file].join(' -> '));
    if (seen.has(file)) return;
    seen.add(file);
    for (const to of targets(file)) visit(to, [...way, file]);
  }
  for (const file of sources) visit(file, []);
  assert.deepEqual(cycles, []);
});

test('a feature imports another one’s operations or listed files, never its store or its routes', () => {
  const across = imports.filter(({ from, to }) => isFeature(from) && isFeature(to) && folderOf(from) !== folderOf(to));
  const isOpen = ({ from, to }: Import) => {
    const file = path.relative(folderOf(to), to);
    // Responses of one feature may contain what another one publishes.
    if (file === 'schema.ts') return /(schema|routes)\.ts$/.test(from);
    return file === `${path.basename(folderOf(to))}.ts` || SHARED.includes(to);
  };
  assert.deepEqual(across.filter((one) => !isOpen(one)).map(show), []);
  const imported = new Set(across.map(({ to }) => to));
  assert.deepEqual(
    SHARED.filter((file) => !imported.has(file)),
    [],
    'files that are listed as shared and are not',
  );
});

test('every feature has a feature.ts', () => {
  assert.deepEqual(
    FEATURES.filter((name) => !files.includes(`${name}/feature.ts`)),
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
  const within = imports.filter(({ from, to }) => isFeature(from) && folderOf(from) === folderOf(to));
  assert.deepEqual(within.filter(({ from, to }) => layer(from) < layer(to)).map(show), []);
});

test('only routes and http know HTTP', () => {
  const knowing = files.filter((file) =>
    /from 'fastify'|http\/(server|responses|caller)\.ts'/.test(readFileSync(path.join(root, file), 'utf8')),
  );
  assert.deepEqual(
    knowing.filter((file) => folderOf(file) !== 'http' && !file.endsWith('routes.ts') && !KNOW_HTTP.includes(file)),
    [],
  );
});

test('only routes and http know the location of a field in a request', () => {
  const placing = files.filter((file) => /loc: \['/.test(readFileSync(path.join(root, file), 'utf8')));
  const allowed = (file: string) => ['http', 'providers'].includes(folderOf(file)) || file.endsWith('routes.ts');
  assert.deepEqual(
    placing.filter((file) => !allowed(file)),
    [],
  );
});

test('only adapters.ts picks adapters, and only config.ts and main.ts read the environment', () => {
  const adapters = imports.filter(
    ({ from, to }) =>
      /^providers\/(sandbox|livekit|twilio)\/(media|carrier|livekit|twilio)\.ts$/.test(to) &&
      folderOf(from) !== 'providers',
  );
  assert.deepEqual(adapters.filter(({ from }) => from !== 'adapters.ts').map(show), []);
  const readers = files.filter((file) => readFileSync(path.join(root, file), 'utf8').includes('process.env'));
  assert.deepEqual(
    readers.filter((file) => !['main.ts', 'config.ts'].includes(file)),
    [],
  );
});

/** Every feature may take these. */
const PLATFORM = ['db', 'clock', 'log', 'metrics', 'audit', 'work'];

test(`no factory of a feature has more than ${MAX_DEPENDENCIES} dependencies besides those of the platform`, () => {
  const counted = files.flatMap((file) => {
    const [, fields] =
      /^interface Deps(?: extends [^{]+)? \{\n(.*?)^\}/ms.exec(readFileSync(path.join(root, file), 'utf8')) ?? [];
    const names = fields?.match(/^ {2}\w+(?=\??:)/gm)?.map((name) => name.trim());
    return names ? [{ file, count: names.filter((name) => !PLATFORM.includes(name)).length }] : [];
  });
  assert.ok(counted.length > 20);
  assert.deepEqual(
    counted.filter(({ count }) => count > MAX_DEPENDENCIES),
    [],
  );
});

test('ARCHITECTURE.md lists every feature, lower to higher', () => {
  const map = readFileSync(path.resolve(root, '../../../ARCHITECTURE.md'), 'utf8');
  const table = map.slice(map.indexOf('## The seven wings'), map.indexOf('## Where to look'));
  const named = [...table.matchAll(/^\| `([\w-]+\/[\w-]+)\/` \|/gm)].map(([, name]) => name);
  assert.deepEqual(named, FEATURES);
});

test('only stores write tables, and docs/tables.md lists each that does', () => {
  const writes =
    /\b(insertInto|updateTable|deleteFrom)\('|\b(insert into|delete from) [a-z_]+|^\s*update [a-z_]+ (as [a-z]+ )?set\b/m;
  const writing = files.filter((file) => isFeature(file) && writes.test(readFileSync(path.join(root, file), 'utf8')));
  const document = readFileSync(path.resolve(root, '../../../docs/tables.md'), 'utf8');
  const ofFeatures = document.slice(0, document.indexOf('## Below the wings'));
  const listed = [...ofFeatures.matchAll(/^\| `((?:[a-z-]+\/)+[a-z-]*store\.ts)` \| /gm)].map(([, file = '']) => file);
  assert.deepEqual(writing.toSorted(), listed.toSorted());
});

test('no source file but the table of errors is over 300 lines', () => {
  const others = files.filter((file) => file !== 'lib/errors.ts');
  assert.deepEqual(
    others.filter((file) => readFileSync(path.join(root, file), 'utf8').split('\n').length > 301),
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
