import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { isOpen, isTimeZone, nextOpen } from '../../src/calling/policies/clock-time.ts';
import { evaluate, type Inputs } from '../../src/calling/policies/evaluate.ts';
import { whereIs } from '../../src/calling/policies/person.ts';
import { allPresets } from '../../src/calling/policies/presets.ts';
import { problemsOf } from '../../src/calling/policies/rules-check.ts';
import type { Rules } from '../../src/calling/policies/schema.ts';
import { BERLIN, inputs } from '../support/policies.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAYS = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'] as const;
const every = { days: [...DAYS] };

/** That `not_before` is allowed, and no minute before it, nor its last millisecond. */
function assertEarliest(one: Inputs): void {
  const { outcome, not_before } = evaluate(one);
  if (outcome !== 'defer' || !not_before) return;
  const after = (time: number) => evaluate({ ...one, at: new Date(time).toISOString() }).outcome;
  assert.equal(after(not_before.getTime()), 'allow', `${one.at} -> ${not_before.toISOString()}`);
  assert.notEqual(after(not_before.getTime() - 1), 'allow');
  for (let time = Date.parse(one.at); time < not_before.getTime(); time += MINUTE)
    assert.notEqual(after(time), 'allow', new Date(time).toISOString());
}

test('hours go by the clock of the person, on every zone that the runtime knows', () => {
  const hours = () => [{ from: 9 * 60, to: 17 * 60 }];
  for (const zone of [...Intl.supportedValuesOf('timeZone'), 'UTC', 'US/Eastern']) {
    const clock = new Intl.DateTimeFormat('en-GB', {
      timeZone: zone,
      hour: '2-digit',
      minute: '2-digit',
      hourCycle: 'h23',
    });
    for (let at = Date.parse('2027-03-01T00:10:00Z'); at < Date.parse('2028-03-01T00:00:00Z'); at += 53 * HOUR) {
      const hour = Number(clock.format(at).slice(0, 2));
      assert.equal(isOpen(zone, hours, at), hour >= 9 && hour < 17, `${zone} ${new Date(at).toISOString()}`);
      const next = nextOpen(zone, hours, at, at + 3 * 24 * HOUR) ?? 0;
      assert.ok(isOpen(zone, hours, next) && (next === at || !isOpen(zone, hours, next - 1)), zone);
      assert.ok(next - at < 24 * HOUR, zone);
    }
  }
});

test('a window that begins in the hour that a change of clocks skips begins with the change; a repeated one opens twice', () => {
  const hours = () => [{ from: 150, to: 170 }];
  const next = (at: string) => {
    const found = nextOpen('Europe/Berlin', hours, Date.parse(at), Date.parse(at) + 5 * 24 * HOUR);
    return new Date(found ?? 0).toISOString();
  };
  // On 2027-03-28 the clocks go from 02:00 to 03:00: there is no 02:30.
  assert.equal(next('2027-03-28T00:00:00Z'), '2027-03-29T00:30:00.000Z');
  // On 2027-10-31 they go from 03:00 back to 02:00.
  assert.equal(next('2027-10-31T00:00:00Z'), '2027-10-31T00:30:00.000Z');
  assert.equal(next('2027-10-31T00:50:00Z'), '2027-10-31T01:30:00.000Z');
  const through = () => [{ from: 150, to: 200 }];
  const opens = nextOpen(
    'Europe/Berlin',
    through,
    Date.parse('2027-03-28T00:00:00Z'),
    Date.parse('2027-03-30T00:00:00Z'),
  );
  assert.equal(new Date(opens ?? 0).toISOString(), '2027-03-28T01:00:00.000Z');
});

test('a deferral names the first minute that is allowed, around the changes of clocks and leap days', () => {
  const zones = [
    'Europe/Berlin',
    'America/New_York',
    'Australia/Lord_Howe',
    'Asia/Kathmandu',
    'Africa/Casablanca',
    'America/St_Johns',
  ];
  const starts = ['2027-03-13', '2027-03-27', '2027-10-30', '2027-11-06', '2028-02-28', '2027-12-31', '2027-04-03'];
  const time = fc.integer({ min: 0, max: 95 });
  const window = fc.record({
    from: time,
    size: fc.integer({ min: 1, max: 40 }),
    days: fc.subarray([...DAYS], { minLength: 2 }),
  });
  const text = (quarter: number) => {
    const minute = Math.min(quarter * 15, 1440);
    return `${String(Math.floor(minute / 60)).padStart(2, '0')}:${String(minute % 60).padStart(2, '0')}`;
  };
  const property = fc.property(
    fc.subarray(zones, { minLength: 1, maxLength: 2 }),
    fc.constantFrom(...starts),
    fc.integer({ min: 0, max: 2 * 24 * 60 }),
    fc.array(window, { minLength: 1, maxLength: 3 }),
    fc.array(fc.integer({ min: 1, max: 2_000 }), { maxLength: 4 }),
    fc.option(fc.integer({ min: 1, max: 40_000 }), { nil: null }),
    (of, day, minute, windows, ago, min_gap_s) => {
      const at = Date.parse(`${day}T00:00:00Z`) + minute * MINUTE;
      const rules: Rules = {
        windows: windows.map(({ from, size, days }) => ({ days, from: text(from), to: text(from + size) })),
        holidays: [{ date: '02-29' }, { date: '2028-01-01' }],
        max_attempts: [{ count: 2, days: 1 }],
        min_gap_s,
      };
      const attempts = ago.map((minutes) => ({
        at: new Date(at - minutes * MINUTE).toISOString(),
        purpose: 'service',
      }));
      assertEarliest(inputs(rules, new Date(at).toISOString(), { person: { ...BERLIN, zones: of }, attempts }));
    },
  );
  fc.assert(property, { numRuns: 20 });
});

test('windows of a region come before those of its country, and unknown regions keep to all of them', () => {
  const rules: Rules = {
    windows: [
      { country: 'US', ...every, from: '08:00', to: '21:00' },
      { country: 'US', region: 'FL', ...every, from: '08:00', to: '20:00' },
    ],
  };
  const at = '2027-01-12T01:30:00.000Z';
  const outcome = (person: Inputs['person'], extra: Rules = {}) =>
    evaluate(inputs({ ...rules, ...extra }, at, { person })).outcome;
  const us = { countries: ['US'], zones: ['America/New_York'], zone_from: 'region' as const };
  assert.equal(outcome({ ...us, regions: ['US-NY'] }), 'allow');
  assert.equal(outcome({ ...us, regions: ['US-FL'] }), 'defer');
  assert.equal(outcome({ ...us, regions: null }), 'defer');
  assert.equal(outcome({ ...us, regions: null }, { unknown_zone: 'deny' }), 'deny');
  assert.equal(outcome(BERLIN), 'allow');
});

test('a prefix that spans zones keeps to the hours of all of them; one without a zone is denied', () => {
  const indiana = whereIs('+12125550100', { region: 'US-IN' });
  assert.deepEqual(whereIs('+12125550100', {}).zones, ['America/New_York']);
  // Most of Indiana is in the Eastern zone; some prefixes of its area codes are in the Central one.
  for (const zone of ['America/New_York', 'America/Chicago']) assert.ok(indiana.zones.includes(zone), zone);
  const all = whereIs('+14165550100', { region: 'US' }).zones;
  assert.ok(all.includes('Pacific/Honolulu') && all.includes('America/Denver') && !all.includes('Pacific/Guam'));
  assert.deepEqual(indiana.regions, ['US-IN']);
  assert.ok(whereIs('+12125550100', { region: 'DE' }).zones.includes('Europe/Berlin'));
  assert.deepEqual(whereIs('+12125550100', { time_zone: 'Asia/Tokyo' }).zones, ['Asia/Tokyo']);
  const rules: Rules = { windows: [{ ...every, from: '09:00', to: '17:00' }] };
  // 09:30 in New York, 08:30 in Chicago.
  const at = '2027-01-12T14:30:00.000Z';
  const person = { ...indiana, zones: ['America/New_York', 'America/Chicago'] };
  const evaluation = evaluate(inputs(rules, at, { person }));
  assert.equal(evaluation.not_before?.toISOString(), '2027-01-12T15:00:00.000Z');
  assert.deepEqual(evaluate(inputs(rules, at, { person: { ...person, zones: [] } })).reasons[0]?.rule, 'zone');
  const never: Rules = { windows: [{ ...every, from: '09:00', to: '10:00' }] };
  const far = { ...person, zones: ['Asia/Tokyo', 'Europe/Berlin'] };
  assert.equal(evaluate(inputs(never, at, { person: far })).outcome, 'deny');
});

test('the country of a number leaves what its prefix says, and another one has the zones that are its own', () => {
  const zones = (number: string, region: string) => whereIs(number, { region }).zones;
  const own = [
    ['+12125550100', 'US'],
    ['+17875550100', 'PR'],
    ['+18095550100', 'DO'],
    ['+77012345678', 'KZ'],
    ['+4930123456', 'DE'],
  ] as const;
  for (const [number, region] of own) assert.deepEqual(whereIs(number, { region }), whereIs(number, {}), region);
  // A number that may be anywhere with its calling code is in the country that is said.
  assert.deepEqual(zones('+18005550100', 'US'), zones('+14165550100', 'US'));
  assert.deepEqual(zones('+12125550100', 'PR'), ['America/Puerto_Rico']);
  assert.deepEqual(zones('+12125550100', 'JM'), ['America/Jamaica']);
  assert.deepEqual(zones('+79161234567', 'KZ').toSorted()[0], 'Asia/Almaty');
  assert.ok(!zones('+79161234567', 'KZ').includes('Europe/Moscow'));
  assert.deepEqual(zones('+4930123456', 'GB'), ['Europe/London']);
  for (const { zones } of ['PR', 'KZ', 'RU', 'AU'].map((region) => whereIs('+4930123456', { region })))
    assert.ok(zones.length > 0 && zones.every(isTimeZone), zones.join());
});

test('attempts, consents and suppressions count as the rules say; a transfer only asks for suppressions', () => {
  const at = '2027-01-12T14:30:00.000Z';
  const closed: Rules = {
    windows: [{ ...every, from: '00:00', to: '00:01' }],
    requires_consent: [{ purpose: 'marketing' }],
  };
  assert.equal(evaluate(inputs(closed, at)).reasons[0]?.rule, 'consent');
  assert.equal(evaluate(inputs(closed, at, { kind: 'transfer' })).outcome, 'allow');
  const consent = { id: 'c', purpose: 'marketing', obtained_at: '2027-01-01T00:00:00.000Z', revoked_at: null };
  assert.equal(evaluate(inputs(closed, at, { consents: [consent] })).outcome, 'defer');
  const revoked = { ...consent, revoked_at: '2027-01-02T00:00:00.000Z' };
  assert.equal(evaluate(inputs(closed, at, { consents: [consent, revoked] })).outcome, 'deny');
  const again = { ...consent, obtained_at: '2027-01-03T00:00:00.000Z' };
  assert.equal(evaluate(inputs(closed, at, { consents: [revoked, again] })).outcome, 'defer');
  const block = { id: 's', scope: 'user' as const, scope_id: '', reason: 'asked', expires_at: null };
  const outcome = (change: object, kind: Inputs['kind'] = 'transfer') =>
    evaluate(inputs({}, at, { kind, policy: null, suppressions: [{ ...block, ...change }] })).outcome;
  assert.equal(outcome({}), 'deny');
  assert.equal(outcome({ expires_at: '2027-01-12T14:30:00.000Z' }), 'allow');
  assert.equal(outcome({ scope: 'agent', scope_id: 'b' }, 'call'), 'allow');
  assert.equal(outcome({ scope: 'agent', scope_id: 'a' }, 'call'), 'deny');
  assert.equal(outcome({ scope: 'purpose', scope_id: 'marketing' }, 'call'), 'deny');
});

test('rules that never open, contradict themselves or name no place are refused with the field', () => {
  const fields = (rules: Rules) => problemsOf(rules).map(({ field }) => [field].flat().join('.'));
  assert.deepEqual(fields({ windows: [{ ...every, from: '17:00', to: '09:00' }] }), ['windows.0.to']);
  assert.deepEqual(fields({ windows: [{ country: 'ZZ', ...every, from: '08:00', to: '09:00' }] }), [
    'windows.0.country',
  ]);
  assert.deepEqual(fields({ windows: [{ country: 'US', region: 'ZZ', ...every, from: '08:00', to: '09:00' }] }), [
    'windows.0.region',
  ]);
  assert.deepEqual(fields({ windows: [{ region: 'TX', ...every, from: '08:00', to: '09:00' }] }), [
    'windows.0.country',
  ]);
  assert.deepEqual(fields({ holidays: [{ date: '02-30' }, { date: '2027-02-29' }, { date: '02-29' }] }), [
    'holidays.0.date',
    'holidays.1.date',
  ]);
  assert.deepEqual(
    fields({
      max_attempts: [
        { count: 5, days: 1 },
        { count: 3, days: 7 },
      ],
    }),
    ['max_attempts.0.count'],
  );
  assert.deepEqual(
    fields({
      max_attempts: [
        { count: 5, days: 1 },
        { count: 3, days: 1 },
      ],
    }),
    ['max_attempts.1'],
  );
});

test('every rule of a preset has its source, and no preset contradicts itself', () => {
  for (const { rules, date } of allPresets()) {
    assert.match(date, /^\d{4}-\d\d-\d\d$/);
    assert.deepEqual(problemsOf(rules), []);
    const all = [rules.windows, rules.holidays, rules.max_attempts, rules.requires_consent].flatMap(
      (list): { source?: string }[] => list ?? [],
    );
    assert.ok(all.every(({ source }) => source));
    const { max_abandoned_rate: rate, abandoned_source } = rules;
    assert.equal(rate === undefined, abandoned_source === undefined);
    assert.ok(rate === undefined || /\(noted \d{4}-\d\d-\d\d\)$/.test(abandoned_source ?? ''));
  }
  assert.ok(isTimeZone('Europe/Berlin') && !isTimeZone('Mars/Base') && !isTimeZone('+05:00'));
});
