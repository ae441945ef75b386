// Hours of people around every change of clocks of every zone, compared with a clock that knows nothing of ours.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { writeSection } from '@switchboard/testkit/section.ts';
import { isOpen, nextOpen, type Span } from '../../src/calling/policies/clock-time.ts';
import { planOf } from '../../src/calling/schedules/times.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const [FROM, TO] = [Date.parse('2026-12-01T00:00:00Z'), Date.parse('2029-01-01T00:00:00Z')];
const LEAP_DAY = '2028-02-29';
const ZONES = [...Intl.supportedValuesOf('timeZone'), 'UTC', 'US/Eastern', 'Asia/Calcutta'];
/** Minutes that are looked at before a change, and after it. */
const [BEFORE, AFTER] = [3 * 60, 30 * 60];

interface Shown {
  date: string;
  minute: number;
}

/** Reads the clocks in a zone. */
function clockOf(zone: string): (at: number) => Shown {
  const parts = ['year', 'month', 'day', 'hour', 'minute'] as const;
  const two = { month: '2-digit', day: '2-digit', hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } as const;
  const format = new Intl.DateTimeFormat('en-US', { timeZone: zone, year: 'numeric', ...two });
  return (at) => {
    const found = Object.fromEntries(format.formatToParts(at).map(({ type, value }) => [type, value]));
    const [year, month, day, hour, minute] = parts.map((part) => found[part]);
    return { date: `${year}-${month}-${day}`, minute: Number(hour) * 60 + Number(minute) };
  };
}

const aheadOf = ({ date, minute }: Shown, at: number) => Date.parse(`${date}T00:00:00Z`) + minute * MINUTE - at;

/** The first minutes at which clocks are another time ahead of UTC. */
function changesOf(show: (at: number) => Shown): number[] {
  const ahead = (at: number) => aheadOf(show(at), at);
  const changes: number[] = [];
  for (let day = FROM; day < TO; day += DAY) {
    if (ahead(day) === ahead(day + DAY)) continue;
    let [low, high] = [day, day + DAY];
    while (high - low > MINUTE) {
      const middle = low + Math.floor((high - low) / 2 / MINUTE) * MINUTE;
      if (ahead(middle) === ahead(day)) low = middle;
      else high = middle;
    }
    changes.push(high);
  }
  return changes;
}

/** Spans around a change, by what clocks show: through it, up to it, and in the time that is skipped or repeated. */
function spansAround(show: (at: number) => Shown, change: number): Span[][] {
  const [before, after] = [show(change - MINUTE).minute + 1, show(change).minute];
  const [first, last] = [Math.min(before, after), Math.max(before, after)];
  const around = [
    [first - 20, last + 20],
    [first + 10, first + 20],
    [first - 40, first],
    [last, last + 15],
    [first + 25, last + 5],
  ];
  return around.flatMap(([from = 0, to = 0]) => (from >= 0 && to <= 1_440 && from < to ? [[{ from, to }]] : []));
}

const counted = { zones: 0, changes: 0, moments: 0 };
after(() =>
  writeSection(
    13,
    'zones',
    `${counted.zones} time zones of the IANA data, ${counted.changes} changes of their clocks from December 2026 to December 2028: at ${counted.moments.toLocaleString('en-US')} moments around
them, what is open and when it opens next agree with what the runtime's clocks show, minute by minute. So does the leap day.`,
  ),
);

test('around every change of clocks of every zone, hours are open when clocks there show them, and open next when they first do', () => {
  for (const zone of ZONES) {
    const show = clockOf(zone);
    counted.zones++;
    for (const change of changesOf(show)) {
      counted.changes++;
      const from = change - BEFORE * MINUTE;
      const shown = Array.from({ length: BEFORE + AFTER }, (_, index) => show(from + index * MINUTE).minute);
      for (const spans of spansAround(show, change)) assertOpens(zone, from, shown, spans);
    }
  }
  assert.ok(counted.zones > 400 && counted.changes > 200, JSON.stringify(counted));
});

function assertOpens(zone: string, from: number, shown: number[], spans: Span[]): void {
  const hours = () => spans;
  const open = shown.map((minute) => spans.some((span) => minute >= span.from && minute < span.to));
  for (let index = 0; index < BEFORE + 2 * 60; index += 5) {
    const at = from + index * MINUTE;
    const what = `${zone} ${new Date(at).toISOString()} ${JSON.stringify(spans)}`;
    assert.equal(isOpen(zone, hours, at), open[index], what);
    const next = open.indexOf(true, index);
    const last = from + (shown.length - 1) * MINUTE;
    assert.equal(nextOpen(zone, hours, at, last), next < 0 ? null : from + next * MINUTE, what);
    counted.moments++;
  }
}

test('a window of a scheduled call that begins or ends at a change of clocks does so when clocks there show it', () => {
  for (const zone of ZONES) {
    const show = clockOf(zone);
    for (const change of changesOf(show)) {
      const { date, minute } = show(change - 61 * MINUTE);
      const local = Date.parse(`${date}T00:00:00Z`) + minute * MINUTE;
      for (const [begins, ends] of [
        [0, 3 * HOUR],
        [75 * MINUTE, 4 * HOUR],
        [-2 * HOUR, 75 * MINUTE],
      ] as const) {
        const [earliest, latest] = [local + begins, local + ends].map((time) =>
          new Date(time).toISOString().slice(0, 16),
        );
        const window = { earliest: earliest ?? '', latest: latest ?? '' };
        const plan = planOf({ window }, [zone], new Date(change - 2 * DAY));
        for (const [wanted, at] of [
          [earliest, plan.due_at],
          [latest, plan.latest_at],
        ] as const) {
          const there = show(at.getTime());
          const text = new Date(Date.parse(`${there.date}T00:00:00Z`) + there.minute * MINUTE).toISOString();
          const what = `${zone} ${new Date(change).toISOString()} ${wanted}: ${at.toISOString()}`;
          // A time that clocks skip begins, or ends, with the change.
          assert.ok(text.startsWith(wanted ?? '') || at.getTime() === change, what);
        }
      }
    }
  }
});

test('the leap day is a day of its own in every zone', () => {
  for (const zone of ZONES) {
    const show = clockOf(zone);
    const hours = (date: string, weekday: number) =>
      date === LEAP_DAY && weekday === 2 ? [{ from: 0, to: 1_440 }] : [];
    const begin = Date.parse('2028-02-27T00:00:00Z');
    for (let at = begin; at < begin + 5 * DAY; at += 30 * MINUTE)
      assert.equal(isOpen(zone, hours, at), show(at).date === LEAP_DAY, `${zone} ${new Date(at).toISOString()}`);
    const opens = nextOpen(zone, hours, begin, begin + 5 * DAY);
    assert.ok(opens !== null, zone);
    assert.deepEqual(show(opens), { date: LEAP_DAY, minute: 0 }, zone);
  }
});
