// Runs the reliability tests and writes their counts to docs/reliability.md: `npm run reliability`.
import { spawnSync } from 'node:child_process';
import { globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import path from 'node:path';
import { TOTALS, type Totals } from '@switchboard/testkit/section.ts';
import { table } from '@switchboard/testkit/table.ts';

/** Tests of the service whose figures are on the page too. */
const OF_THE_SERVICE = ['access/auth.matrix', 'access/auth.tokens', 'delivery/callbacks.addresses'];
/** Sizes that reach the required totals; in CI the same tests run smaller. */
const VOLUMES = {
  KILL_ROUNDS: '110',
  DATABASE_KILL_ROUNDS: '28',
  SCHEMATHESIS_EXAMPLES: '40',
  MUTATED_REQUESTS: '55000',
  CLOCK_MOMENTS: '220',
  MEMORY_MINUTES: '60',
};

const root = path.resolve(import.meta.dirname, '..');
const sections = mkdtempSync(path.join(tmpdir(), 'switchboard-reliability-'));
// One after another, unlike in CI: their results are times.
const options = ['--test', '--test-concurrency=1', '--test-force-exit', '--test-timeout=7200000'];
const files = ['reliability/*.test.ts', ...OF_THE_SERVICE.map((name) => `packages/server/test/${name}.test.ts`)];
const { status } = spawnSync(process.execPath, [...options, ...files], {
  cwd: root,
  env: { ...VOLUMES, ...process.env, RELIABILITY_SECTIONS: sections },
  stdio: 'inherit',
});
const read = (extension: string) =>
  globSync(`*.${extension}`, { cwd: sections })
    .sort()
    .map((file) => readFileSync(path.join(sections, file), 'utf8'));
const counted = read('json').map((text) => JSON.parse(text) as Totals);
const totals = Object.entries(TOTALS).map(([name, least]) => ({
  name,
  least,
  count: counted.reduce((sum, some) => sum + (some[name as keyof Totals] ?? 0), 0),
}));
const missing = totals.filter(({ count, least }) => count < least).map(({ name }) => name);
const results = [
  status === 0 ? 'All of them passed.' : '**Some of them failed.**',
  ...(missing.length > 0 ? [`**Too few: ${missing.join('; ')}.**`] : []),
];
const head = `# Reliability

The faults injected into the service, and their results. Written by \`npm run reliability\`; do not edit. The tests
are in \`reliability/\`, and CI runs them with every change, in smaller numbers. Written on ${new Date().toISOString().slice(0, 10)} with Node.js
${process.versions.node} on ${cpus().length} cores. ${results.join(' ')}

${table(
  ['Counted in this run', 'Total', 'At least'],
  totals.map(({ name, least, count }) => [name, count, least]),
)}`;
writeFileSync(path.join(root, 'docs/reliability.md'), `${[head, ...read('md')].join('\n\n')}\n`);
rmSync(sections, { recursive: true });
process.exitCode = status === 0 && missing.length === 0 ? 0 : 1;
