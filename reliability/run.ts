// Runs the reliability tests and writes their results to docs/reliability.md: `npm run reliability`, or `npm run
// reliability -- reliability/killed.test.ts` for some of them; the other sections stay.
import { spawnSync } from 'node:child_process';
import { globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { dayAndMachine, partsOf } from '@switchboard/testkit/page-parts.ts';
import { TOTALS, type Totals } from '@switchboard/testkit/section.ts';
import { table } from '@switchboard/testkit/table.ts';

/** Other tests whose figures are on the page too. Those of recordings need what the end-to-end tests need. */
const ELSEWHERE = [
  ...['access/auth.matrix.heavy', 'access/auth.tokens', 'delivery/callbacks.addresses'].map(
    (name) => `packages/server/test/${name}.test.ts`,
  ),
  ...['recording', 'recording.redaction'].map((name) => `e2e/${name}.test.ts`),
];
/** Tests whose figures are on a page of their own, which `npm run outreach` writes. */
const OUTREACH = ['reliability/campaigns-killed.test.ts'];
/** Sizes that reach the required totals; in CI the same tests run smaller. */
const VOLUMES = {
  KILL_ROUNDS: '110',
  DATABASE_KILL_ROUNDS: '28',
  SCHEMATHESIS_EXAMPLES: '40',
  MUTATED_REQUESTS: '55000',
  CLOCK_MOMENTS: '220',
  MEMORY_MINUTES: '60',
};
const PAGE = path.resolve(import.meta.dirname, '../docs/reliability.md');
/** Begins a section: its name, and its additions to the totals. */
const MARKER = /^<!-- ([\w-]+) (\{.*\}) -->$/m;

const root = path.resolve(import.meta.dirname, '..');
const asked = process.argv.slice(2);
const files =
  asked.length > 0
    ? asked
    : globSync('reliability/*.test.ts', { cwd: root, exclude: OUTREACH }).sort().concat(ELSEWHERE);
const failed = files.filter((file) => !run(file));
const missing = writePage([]);
if (failed.length > 0) console.error(`Failed, and not written: ${failed.join(', ')}`);
if (missing.length > 0) console.error(`Too few: ${missing.join('; ')}.`);
process.exitCode = failed.length + missing.length > 0 ? 1 : 0;

/** Runs one file by itself, unlike in CI: its results are times. They are written if it passes. */
function run(file: string): boolean {
  const sections = mkdtempSync(path.join(tmpdir(), 'switchboard-reliability-'));
  const { status } = spawnSync(process.execPath, ['--test', '--test-force-exit', '--test-timeout=7200000', file], {
    cwd: root,
    env: { ...VOLUMES, ...process.env, RELIABILITY_SECTIONS: sections },
    stdio: 'inherit',
  });
  if (status === 0) writePage(readWritten(sections));
  rmSync(sections, { recursive: true });
  return status === 0;
}

/** The sections that a run has made, by name. */
function readWritten(directory: string): [string, string][] {
  return globSync('*.md', { cwd: directory }).map((file) => {
    const name = path.basename(file, '.md');
    const totals = readFileSync(path.join(directory, `${name}.json`), 'utf8');
    const [title, ...rest] = readFileSync(path.join(directory, file), 'utf8').split('\n');
    return [name, [`<!-- ${name} ${totals} -->`, title, '', `${dayAndMachine()}.`, ...rest].join('\n').trim()];
  });
}

/** Replaces sections of the page; the others stay. Returns which totals are smaller than required. */
function writePage(replaced: [string, string][]): string[] {
  const byName = [...new Map([...partsOf(readFileSync(PAGE, 'utf8'), MARKER), ...replaced])].sort(([one], [other]) =>
    one.localeCompare(other),
  );
  const sections = byName.map(([, text]) => text);
  const counted = sections.map((text) => JSON.parse(MARKER.exec(text)?.[2] ?? '{}') as Totals);
  const totals = Object.entries(TOTALS).map(([name, least]) => ({
    name,
    least,
    count: counted.reduce((sum, some) => sum + (some[name as keyof Totals] ?? 0), 0),
  }));
  const head = `# Reliability

The faults injected into the service, and their results. Written by \`npm run reliability\`; do not edit. The tests are in
\`reliability/\`, or where a section says, and CI runs them with every change, in smaller numbers. Each section is of the day that it
names, and totals add up all sections; a file with a failure writes nothing.

${table(
  ['Counted', 'Total', 'At least'],
  totals.map(({ name, least, count }) => [name, count, least]),
)}`;
  writeFileSync(PAGE, `${[head, ...sections].join('\n\n')}\n`);
  return totals.filter(({ count, least }) => count < least).map(({ name }) => name);
}
