import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { dayAndMachine, partsOf } from '@switchboard/testkit/page-parts.ts';
import { table } from '@switchboard/testkit/table.ts';
import type { Line, Section } from './report.ts';

const FILE = path.resolve(import.meta.dirname, '../../docs/performance.md');
const HEAD = `# Performance

Written by \`npm run bench\`; do not edit. Each section is a run of \`npm run bench -- <section>\`, of the day that it names. Figures are of one
machine, with the load generator and PostgreSQL on it too: only those of the same run can be compared. PostgreSQL runs with \`fsync\` on, each
server is one process, connections are a closed loop, and figures are medians of interleaved rounds after a warm-up.
All sections measure \`AUTH_MODE=open\`; the section \`auth\` compares it with \`AUTH_MODE=required\` in the same run.
\`bench/baselines/\` has what the service is compared with.`;

const marker = (name: string) => `<!-- ${name} -->`;

/** Replaces a section of the page; the others stay. */
export function writePerformance(name: string, order: string[], section: Section): void {
  const sections = partsOf(existsSync(FILE) ? readFileSync(FILE, 'utf8') : '', /^<!-- ([a-z]+) -->$/);
  sections.set(
    name,
    `${marker(name)}\n## ${name}\n\n${dayAndMachine()}.\n\n${lineTable(section.lines)}\n\n${section.details.trim()}`,
  );
  const known = order.flatMap((each) => sections.get(each) ?? []);
  writeFileSync(FILE, `${[HEAD, ...known].join('\n\n')}\n`);
}

export function lineTable(lines: Line[]): string {
  return table(
    ['', 'measured', 'asked', 'verdict'],
    lines.map((line) => [
      line.what,
      line.measured,
      ...(line.at_least === null ? ['', ''] : [line.at_least, line.reached ? 'reached' : '**not reached**']),
    ]),
  );
}
