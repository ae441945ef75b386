import { globSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { table } from '../../../reliability/support/table.ts';
import type { Record, Seen } from './seen.ts';

const FILE = 'docs/telephony.md';
const [BEGIN, END] = ['<!-- npm run sip writes from here -->', '<!-- to here -->'];
/** A row of the tables of reasons: its reason first, where it has been seen last. */
const REASON = /^\| `(\w+)` \|.*\| ([^|]*) \|$/;

/** Writes what was seen to docs/telephony.md: the table of scenarios, and where each `end_reason` was seen. */
export function writeTables(root: string, dir: string): void {
  const records = globSync('*.json', { cwd: dir })
    .sort()
    .map((name): Record => JSON.parse(readFileSync(path.join(dir, name), 'utf8')));
  const rows = records.flatMap((record) => record.rows);
  const figures = records.flatMap((record) => record.figures);
  const file = path.join(root, FILE);
  const text = readFileSync(file, 'utf8');
  const [before, rest] = text.split(BEGIN);
  const after = rest?.split(END)[1];
  if (before === undefined || after === undefined) throw new Error(`${FILE} has lost its marks: ${BEGIN} and ${END}`);
  const scenarios = table(
    ['The phone', 'Times', '`call_status`', '`end_reason`', 'SIP status', 'Requests that the phone saw'],
    [...Map.groupBy(rows, ({ group }) => group)].flatMap(([group, some]) => some.map((row) => scenarioRow(group, row))),
  );
  const measured = table(
    ['Counted', ''],
    figures.map(({ name, value }) => [name, value]),
  );
  const written = `${BEGIN}\n\n${scenarios}\n\n${measured}\n\n${END}`;
  writeFileSync(file, markSeen(`${before}${written}${after}`, rows));
}

function scenarioRow(group: string, row: Seen & { times: number }): (string | number)[] {
  const code = (text: string | null) => (text === null ? '' : `\`${text}\``);
  const status = row.sip_status_code ?? '';
  return [`${group}: ${row.scenario}`, row.times, code(row.call_status), code(row.end_reason), status, row.phone];
}

/** Says "bridge" of each reason that was seen with it, and with which SIP statuses. */
function markSeen(text: string, rows: Seen[]): string {
  return text
    .split('\n')
    .map((line) => {
      const reason = REASON.exec(line)?.[1];
      const seen = rows.filter(({ end_reason }) => end_reason === reason);
      if (!reason || seen.length === 0) return line;
      const statuses = new Set(seen.flatMap(({ sip_status_code }) => sip_status_code ?? []));
      const of = statuses.size > 0 ? ` (${[...statuses].sort((a, b) => a - b).join(', ')})` : '';
      return line.replace(/\| [^|]* \|$/, `| bridge${of} |`);
    })
    .join('\n');
}
