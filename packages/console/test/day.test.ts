import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { test } from 'node:test';
import { startOfDay } from '../src/data/day.ts';

test('a day begins at midnight of the viewer, and ends where the next one begins', () => {
  assert.equal(startOfDay('2026-01-15'), new Date(2026, 0, 15).toISOString());
  assert.equal(startOfDay('2026-01-31', 1), new Date(2026, 1, 1).toISOString());
});

test('what a date field can hold and no time is made of is no day, rather than an exception', () => {
  for (const day of ['12026-01-15', '', 'soon', '2026-13-01']) assert.equal(startOfDay(day), null);
  assert.equal(startOfDay('9999-12-31', 1), null);
});

/** When days begin, and those after them, in a time zone. */
function beginsIn(zone: string, ...days: string[]): [string, string][] {
  const script = `import { startOfDay } from '${import.meta.resolve('../src/data/day.ts')}';
    console.log(JSON.stringify(${JSON.stringify(days)}.map((day) => [startOfDay(day), startOfDay(day, 1)])));`;
  const options = { encoding: 'utf8', env: { ...process.env, TZ: zone } } as const;
  return JSON.parse(execFileSync(process.execPath, ['--input-type=module', '-e', script], options));
}

test('a day on which summer time begins at midnight ends at the next midnight, and not an hour later', () => {
  assert.deepEqual(beginsIn('Africa/Cairo', '2026-04-23', '2026-04-24'), [
    ['2026-04-22T22:00:00.000Z', '2026-04-23T22:00:00.000Z'],
    ['2026-04-23T22:00:00.000Z', '2026-04-24T21:00:00.000Z'],
  ]);
  assert.deepEqual(beginsIn('America/Santiago', '2026-09-05', '2026-09-06'), [
    ['2026-09-05T04:00:00.000Z', '2026-09-06T04:00:00.000Z'],
    ['2026-09-06T04:00:00.000Z', '2026-09-07T03:00:00.000Z'],
  ]);
  assert.deepEqual(beginsIn('Europe/Berlin', '2026-03-29', '2026-10-25'), [
    ['2026-03-28T23:00:00.000Z', '2026-03-29T22:00:00.000Z'],
    ['2026-10-24T22:00:00.000Z', '2026-10-25T23:00:00.000Z'],
  ]);
});
