import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';

const read = (page: string) => readFileSync(path.resolve(import.meta.dirname, '../../../../docs', page), 'utf8');
const scaling = read('scaling.md');
const numbers = (text: string) =>
  [...text.matchAll(/[\d,]*\d(?:\.\d+)?/g)].map(([one]) => Number(one.replace(/,/g, '')));

/** Figures of a section: the first columns of its rows that begin so. */
function measured(section: string, row: string, columns: number): number[][] {
  const [, text = ''] = read('performance.md').split(`<!-- ${section} -->`);
  const lines = (text.split('\n<!-- ')[0] ?? '').split('\n').filter((line) => line.startsWith(`| ${row}`));
  return lines.map((line) =>
    line
      .split('|')
      .slice(2, 2 + columns)
      .flatMap(numbers),
  );
}

function assertWithin(range: string, figures: number[], of: string): void {
  const [from = 0, to = 0] = numbers(range);
  assert.ok(figures.length > 0 && from < to, of);
  for (const one of figures) assert.ok(one >= from * 0.99 && one <= to * 1.01, `${of}: ${one} is not within ${range}`);
}

/** Sections that measure the same, by the row of ours in their tables, with 64 connections. */
const ALSO: Record<string, [section: string, row: string, nth: number][]> = {
  usage: [
    ['before', 'this release', 1],
    ['auth', 'open', 0],
  ],
  transcripts: [['auth', 'open', 1]],
  status: [
    ['before', 'this release', 0],
    ['auth', 'open', 2],
  ],
  calls: [['before', 'this release', 3]],
};

test('the load of a replica is what was measured last, or a range with it', () => {
  const rows = [
    ...scaling.matchAll(/^\| \[[^\]]+\]\(performance\.md#(\w+)\)[^|]* \| ([\d,]+ to [\d,]+) a second \|/gm),
  ];
  assert.equal(rows.length, 7);
  for (const [, section = '', range = ''] of rows) {
    const row = section === 'callbacks' ? 'all answer at once' : 'Switchboard';
    // The third table of a section is that of a single client.
    const figures = measured(section, row, 1).slice(0, 2).flat();
    for (const [also, of, nth] of ALSO[section] ?? []) figures.push(...(measured(also, of, 1)[nth] ?? [Number.NaN]));
    // Its requests have a thousand events each.
    assertWithin(range, section === 'batch' ? figures.map((one) => one * 1000) : figures, section);
  }
});

test('so is the cost of a call, and the number of cores that ten thousand of them take', () => {
  const text = scaling.replace(/\n/g, ' ');
  const [, service = '', database = ''] =
    /a call takes (\S+ to \S+) ms of the service and (\S+ to \S+) ms/.exec(text) ?? [];
  const [, cores = '', others = ''] =
    /take (\S+ to \S+) cores of the service and (\S+ to \S+) of PostgreSQL/.exec(text) ?? [];
  const [[, ofService = 0, ofDatabase = 0] = []] = measured('cost', '10 |', 3);
  assertWithin(service, [ofService], 'service');
  assertWithin(database, [ofDatabase], 'PostgreSQL');
  for (const [range, needed] of [
    [service, cores],
    [database, others],
  ] as const)
    assert.deepEqual(
      numbers(range).map((ms) => ((56 * ms) / 1000).toFixed(1)),
      numbers(needed).map((one) => one.toFixed(1)),
    );
});
