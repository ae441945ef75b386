// Proves what docs/outreach.md says of campaigns, and writes the figures there: `npm run outreach`, or
// `npm run outreach -- kills dispatch` for some of its parts; the others stay. A command of its own, beside
// `npm run reliability` and `npm run bench`: the page has faults, sizes and comparisons of one subject.
import { spawnSync } from 'node:child_process';
import { globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { freePort } from '@switchboard/testkit/ports.ts';
import { startPostgres } from '@switchboard/testkit/postgres.ts';
import { loadOfMachine } from '../bench/support/report.ts';
import { dispatch } from './outreach/dispatch.ts';
import { million } from './outreach/million.ts';
import { model } from './outreach/model.ts';
import { writeProof } from './outreach/page.ts';

const TITLES = {
  model: 'Every order',
  kills: 'Processes killed',
  million: 'Many recipients',
  year: 'A year of time',
  dispatch: 'Beside a queue',
};
type Part = keyof typeof TITLES;

const ROOT = path.resolve(import.meta.dirname, '..');
const ZONES = 'packages/server/test/calling/policies.zones.heavy.test.ts';

/** Text that tests write when they run in the sizes of this page. */
function tested(files: string[]): string {
  const sections = mkdtempSync(path.join(tmpdir(), 'switchboard-outreach-'));
  const options = ['--import=./packages/testkit/preload.js', '--test', '--test-force-exit', '--test-timeout=3600000'];
  const sizes = { CAMPAIGN_RECIPIENTS: '10000', CAMPAIGN_KILLS: '40' };
  const env = { ...sizes, ...process.env, RELIABILITY_SECTIONS: sections };
  const { status } = spawnSync(process.execPath, [...options, ...files], { cwd: ROOT, env, stdio: 'inherit' });
  const written = globSync('*.md', { cwd: sections }).sort();
  const texts = written.map((file) => readFileSync(path.join(sections, file), 'utf8').replace(/^## .*\n+/, ''));
  rmSync(sections, { recursive: true });
  return status === 0 ? texts.join('\n\n') : `**Some of it failed.**\n\n${texts.join('\n\n')}`;
}

async function measured(measure: (postgres: Awaited<ReturnType<typeof startPostgres>>) => Promise<string>) {
  const postgres = await startPostgres(await freePort());
  return measure(postgres).finally(() => postgres.remove());
}

const PARTS: Record<Part, () => Promise<string>> = {
  model,
  kills: async () => tested(['reliability/campaigns-killed.test.ts']),
  million: () => measured(million),
  year: async () => tested([ZONES, 'reliability/outreach/year.test.ts']),
  dispatch: () => measured(dispatch),
};

const names = Object.keys(PARTS) as Part[];
const asked = process.argv.slice(2);
const unknown = asked.filter((name) => !names.some((one) => one === name));
if (unknown.length > 0) throw new Error(`There is no ${unknown.join(', ')}; there are ${names.join(', ')}`);
for (const name of names.filter((one) => asked.length === 0 || asked.includes(one))) {
  const details = await PARTS[name]();
  writeProof(name, TITLES, details);
  process.stdout.write(`\n${TITLES[name]}\n\n${details}\n\n${loadOfMachine()}\n`);
  if (details.startsWith('**')) process.exitCode = 1;
}
