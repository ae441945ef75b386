import { globSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { partsOf } from '@switchboard/testkit/page-parts.ts';
import { table } from '@switchboard/testkit/table.ts';
import type { Record, Seen } from './seen.ts';

const FILE = 'docs/telephony.md';
const [BEGIN, END] = ['<!-- npm run sip writes from here -->', '<!-- to here -->'];
/** A row of the tables of end reasons: the reason, the call's status, and last the place where it was observed. */
const REASON = /^\| `(\w+)` \| `[A-Z_]+`.*\| ([^|]*) \|$/;

/**
 * Writes the results of each part to docs/telephony.md, replacing its earlier results, and marks the
 * observed end reasons.
 */
export function writeTables(root: string, dir: string): void {
  const file = path.join(root, FILE);
  let text = readFileSync(file, 'utf8');
  for (const name of globSync('*.json', { cwd: dir }).sort()) {
    const record: Record = JSON.parse(readFileSync(path.join(dir, name), 'utf8'));
    if (record.rows.length === 0 && record.figures.length === 0) continue;
    text = markSeen(writePart(text, path.basename(name, '.json'), tablesOf(record)), record.rows);
  }
  writeFileSync(file, text);
}

/** Replaces the tables between the markers of a part; a new part is appended. */
function writePart(text: string, part: string, tables: string): string {
  const [before, rest] = text.split(BEGIN);
  const [written, after] = rest?.split(END) ?? [];
  if (before === undefined || written === undefined || after === undefined)
    throw new Error(`${FILE} has lost its marks: ${BEGIN} and ${END}`);
  const parts = partsOf(written, /^<!-- part ([\w-]+) -->$/);
  parts.set(part, `<!-- part ${part} -->\n\n${new Date().toISOString().slice(0, 10)}.\n\n${tables}`);
  return `${before}${[BEGIN, ...parts.values(), END].join('\n\n')}${after}`;
}

function tablesOf({ rows, figures }: Record): string {
  const scenarios = table(
    ['The phone', 'Times', '`call_status`', '`end_reason`', 'SIP status', 'Requests that the phone saw'],
    [...Map.groupBy(rows, ({ group }) => group)].flatMap(([group, some]) => some.map((row) => scenarioRow(group, row))),
  );
  const measured = table(
    ['Counted', ''],
    figures.map(({ name, value }) => [name, value]),
  );
  return [...(rows.length > 0 ? [scenarios] : []), ...(figures.length > 0 ? [measured] : [])].join('\n\n');
}

function scenarioRow(group: string, row: Seen & { times: number }): (string | number)[] {
  const code = (text: string | null) => (text === null ? '' : `\`${text}\``);
  const status = row.sip_status_code ?? '';
  return [`${group}: ${row.scenario}`, row.times, code(row.call_status), code(row.end_reason), status, row.phone];
}

/** Marks each end reason observed with the bridge, and the SIP statuses observed now or by another part before. */
function markSeen(text: string, rows: Seen[]): string {
  return text
    .split('\n')
    .map((line) => {
      const [, reason, before = ''] = REASON.exec(line) ?? [];
      const seen = rows.filter(({ end_reason }) => end_reason === reason);
      if (!reason || seen.length === 0) return line;
      const known = /^bridge \((.*)\)$/.exec(before)?.[1]?.split(', ').map(Number) ?? [];
      const statuses = new Set([...known, ...seen.flatMap(({ sip_status_code }) => sip_status_code ?? [])]);
      const of = statuses.size > 0 ? ` (${[...statuses].sort((a, b) => a - b).join(', ')})` : '';
      return line.replace(/\| [^|]* \|$/, `| bridge${of} |`);
    })
    .join('\n');
}
