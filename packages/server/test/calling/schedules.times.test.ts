// When a scheduled call is placed: edges of clocks, windows that never open, and what is refused.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { moveTo, type Plan, planOf, type When } from '../../src/calling/schedules/times.ts';
import { InvalidFields } from '../../src/lib/invalid.ts';

const NOW = new Date('2027-03-01T12:00:00.000Z');
const BERLIN = ['Europe/Berlin'];

const at = (when: When, zones = BERLIN, now = NOW): string[] | string => {
  try {
    const { due_at, latest_at } = planOf(when, zones, now);
    return [due_at.toISOString(), latest_at.toISOString()];
  } catch (error) {
    if (!(error instanceof InvalidFields)) throw error;
    return error.problems.map(({ field, msg }) => `${[field].flat().join('.')}: ${msg}`).join('; ');
  }
};
const window = (earliest: string, latest: string, time_zone?: string) => ({ window: { earliest, latest, time_zone } });

for (const [name, when, expected] of [
  ['an instant', { at: '2027-03-02T09:00:00+01:00' }, ['2027-03-02T08:00:00.000Z', '2027-03-02T09:00:00.000Z']],
  [
    'an instant, and any later time that is allowed',
    { at: '2027-03-02T08:00:00Z', if_not_now: 'schedule' },
    ['2027-03-02T08:00:00.000Z', '2027-05-30T12:00:00.000Z'],
  ],
  [
    'a window of the person',
    window('2027-03-02T09:00', '2027-03-02T17:00'),
    ['2027-03-02T08:00:00.000Z', '2027-03-02T16:00:00.000Z'],
  ],
  [
    'a window in another zone',
    window('2027-03-02T09:00', '2027-03-02T17:00', 'America/New_York'),
    ['2027-03-02T14:00:00.000Z', '2027-03-02T22:00:00.000Z'],
  ],
  [
    'a window that is open now',
    window('2027-03-01T09:00', '2027-03-01T17:00'),
    ['2027-03-01T12:00:00.000Z', '2027-03-01T16:00:00.000Z'],
  ],
  // In Berlin clocks skip 02:00 to 03:00 on 2027-03-28, and repeat it on 2027-10-31.
  [
    'a window that begins in an hour that is skipped',
    window('2027-03-28T02:30', '2027-03-28T04:00'),
    ['2027-03-28T01:00:00.000Z', '2027-03-28T02:00:00.000Z'],
  ],
  [
    'a window that ends in an hour that is skipped',
    window('2027-03-28T01:30', '2027-03-28T02:30'),
    ['2027-03-28T00:30:00.000Z', '2027-03-28T01:00:00.000Z'],
  ],
  [
    'a window in an hour that is skipped never opens',
    window('2027-03-28T02:10', '2027-03-28T02:50'),
    'window: Input should be a time that clocks there show',
  ],
  ['the past', { at: '2027-03-01T12:00:00Z' }, 'at: Input should be in the future'],
  ['more than 90 days ahead', { at: '2027-05-30T12:00:01Z' }, 'at: Input should be within 90 days'],
  [
    'a window of the past',
    window('2027-02-28T09:00', '2027-03-01T13:00'),
    'window.latest: Input should be in the future',
  ],
  [
    'a window too far ahead',
    window('2027-05-31T09:00', '2027-05-31T10:00'),
    'window.earliest: Input should be within 90 days',
  ],
  [
    'a window that ends before it begins',
    window('2027-03-02T09:00', '2027-03-02T08:59'),
    'window.latest: Input should be later than `earliest`',
  ],
  [
    'a window without length',
    window('2027-03-02T09:00', '2027-03-02T09:00'),
    'window.latest: Input should be later than `earliest`',
  ],
  [
    'a day that does not exist',
    window('2027-02-30T09:00', '2027-03-02T09:00'),
    'window.earliest: Input should be a date and a time of it',
  ],
  [
    'an hour that does not exist',
    window('2027-03-02T09:00', '2027-03-02T25:00'),
    'window.latest: Input should be a date and a time of it',
  ],
  [
    'an unknown zone',
    window('2027-03-02T09:00', '2027-03-02T10:00', 'Mars/Base'),
    'window.time_zone: Input should be an IANA time zone',
  ],
  [
    'both',
    { at: '2027-03-02T09:00:00Z', ...window('2027-03-02T09:00', '2027-03-02T10:00') },
    'window: Input should be absent beside `at`',
  ],
  [
    'the next window of an instant',
    { at: '2027-03-02T09:00:00Z', if_missed: 'next_window' },
    'if_missed: Input should be absent without `window`',
  ],
  [
    'the same hours of the next day, of a window of a day',
    { ...window('2027-03-02T09:00', '2027-03-03T09:00'), if_missed: 'next_window' },
    'if_missed: Input should be `expire` for a window of a day and more',
  ],
] as [string, When, string[] | string][])
  test(name, () => assert.deepEqual(at(when), expected));

test('a window needs one zone: of the request, or of the number', () => {
  const needed = 'window.time_zone: Input should be given: that of the number is not certain';
  const hours = window('2027-03-02T09:00', '2027-03-02T17:00');
  assert.equal(at(hours, ['America/New_York', 'America/Chicago']), needed);
  assert.equal(at(hours, []), needed);
});

test('a window whose end is repeated closes with the second time', () => {
  const now = new Date('2027-10-01T12:00:00Z');
  assert.deepEqual(at(window('2027-10-31T02:30', '2027-10-31T02:45'), BERLIN, now), [
    '2027-10-31T00:30:00.000Z',
    '2027-10-31T01:45:00.000Z',
  ]);
});

const moved = (plan: Plan, time: string) => {
  const next = moveTo(plan, new Date(time));
  return next && [next.due_at.toISOString(), next.latest_at.toISOString()];
};

test('a call that has to wait goes on within its window, and then on the next day if it may', () => {
  const hours = window('2027-03-26T09:00', '2027-03-26T17:00');
  const once = planOf(hours, BERLIN, NOW);
  assert.deepEqual(moved(once, '2027-03-26T10:00:00Z'), ['2027-03-26T10:00:00.000Z', '2027-03-26T16:00:00.000Z']);
  assert.equal(moved(once, '2027-03-26T16:00:00.001Z'), null);
  const again = planOf({ ...hours, if_missed: 'next_window' }, BERLIN, NOW);
  assert.deepEqual(moved(again, '2027-03-26T16:00:00.001Z'), ['2027-03-27T08:00:00.000Z', '2027-03-27T16:00:00.000Z']);
  // By the clocks there: an hour earlier once they are changed.
  assert.deepEqual(moved(again, '2027-03-28T01:00:00Z'), ['2027-03-28T07:00:00.000Z', '2027-03-28T15:00:00.000Z']);
  assert.deepEqual(moved(again, '2027-04-10T10:00:00Z'), ['2027-04-10T10:00:00.000Z', '2027-04-10T15:00:00.000Z']);
  assert.equal(moved(again, '2027-05-31T10:00:00Z'), null);
});

test('a window that is skipped one day opens on the next', () => {
  const nightly = planOf({ ...window('2027-03-26T02:10', '2027-03-26T02:50'), if_missed: 'next_window' }, BERLIN, NOW);
  assert.deepEqual(moved(nightly, '2027-03-27T02:00:00Z'), ['2027-03-29T00:10:00.000Z', '2027-03-29T00:50:00.000Z']);
});

test('in every zone a window of the afternoon is four hours long and at its time, on each day of two years', () => {
  for (const zone of Intl.supportedValuesOf('timeZone')) {
    for (let day = 0; day < 730; day += 7) {
      const now = new Date(Date.UTC(2026, 0, 1) + day * 86_400_000);
      const date = new Date(now.getTime() + 86_400_000 * 3).toISOString().slice(0, 10);
      const { due_at, latest_at } = planOf(window(`${date}T13:00`, `${date}T17:00`), [zone], now);
      assert.equal(latest_at.getTime() - due_at.getTime(), 4 * 3_600_000, `${zone} ${date}`);
    }
  }
});
