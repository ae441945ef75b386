import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { dayAndMachine, partsOf } from '@switchboard/testkit/page-parts.ts';

const ROOT = path.resolve(import.meta.dirname, '../..');
const FILE = path.join(ROOT, 'docs/outreach.md');
const NEXT = '## Suppressions';
const HEAD = `## Proofs

Written by \`npm run outreach\`, or \`npm run outreach -- kills dispatch\` for some of its parts; the others stay. Do not edit. CI runs the
first, the second with fewer people, and the time zones of the fourth with every change. Figures are of one machine, with PostgreSQL and everything else on it: only those of
the same part can be compared. What was asked for before anything was measured has a verdict. A campaign through a real SIP bridge,
with hours, consents and pauses, is a part of \`npm run sip\`, which compares each INVITE with its attempt: see [telephony.md](telephony.md#test-results).

What they leave out: of a campaign, only the two processes of the service are killed, neither PostgreSQL nor the media server, the bridge or a worker. Phones whose calls were placed before a pause are dialled during it. Through the bridge, calls that were placed before an opt-out
have ten seconds to become an INVITE, and no agent joins the calls.`;

const marker = (name: string) => `<!-- proof: ${name} -->`;

/** Replaces a part of the proofs in `docs/outreach.md`; the others stay, and so does the rest of the page. */
export function writeProof(name: string, titles: Record<string, string>, details: string): void {
  const page = readFileSync(FILE, 'utf8');
  const [begin, end] = [page.indexOf('## Proofs'), page.indexOf(NEXT)];
  const before = page.slice(0, begin < 0 ? end : begin).trimEnd();
  const parts = partsOf(begin < 0 ? '' : page.slice(begin, end), /^<!-- proof: (\w+) -->$/);
  parts.set(name, `${marker(name)}\n### ${titles[name]}\n\n${circumstances()}\n\n${details.trim()}`);
  const known = Object.keys(titles).flatMap((one) => parts.get(one) ?? []);
  writeFileSync(FILE, `${[before, HEAD, ...known, page.slice(end)].join('\n\n')}`);
}

/** When, of what, and where: with how much else the machine had to do before. */
function circumstances(): string {
  const [load = '0'] = readFileSync('/proc/loadavg', 'utf8').split(' ');
  const commit = execFileSync('git', ['rev-parse', '--short', 'HEAD'], { cwd: ROOT, encoding: 'utf8' }).trim();
  const shared = startLoad > 1 ? `; **the machine was shared**: its load was ${startLoad.toFixed(1)} before` : '';
  return `${dayAndMachine()}, commit ${commit}, load ${load} at the end${shared}.`;
}

/** The cells of a figure of which nothing is asked, in columns as docs/performance.md has them. */
export const UNASKED = ['', ''];

/** The cells of a figure that is asked for. */
export const verdict = (asked: string, isReached: boolean): string[] => [
  asked,
  isReached ? 'reached' : '**not reached**',
];

const startLoad = Number(readFileSync('/proc/loadavg', 'utf8').split(' ')[0]);
