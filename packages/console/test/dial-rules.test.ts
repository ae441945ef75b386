import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { DialRules, DialWindow } from '@switchboard/client';
import {
  gapText,
  percentOf,
  placesOf,
  rateOf,
  sentencesOf,
  spansOf,
  weekText,
  windowsFor,
} from '../src/data/dial-rules.ts';

const WORKDAYS: DialWindow['days'] = ['mon', 'tue', 'wed', 'thu', 'fri'];
const everybody: DialWindow = { days: WORKDAYS, from: '09:00', to: '18:00' };
const us: DialWindow = { ...everybody, country: 'US', from: '08:00', to: '21:00' };
const florida: DialWindow = { ...us, region: 'FL', to: '20:00' };
const emergency: DialWindow = { ...florida, purposes: ['emergency'], from: '00:00', to: '24:00' };
const rules: DialRules = { windows: [florida, us, emergency, everybody] };

test('places are those that windows are for, the widest first', () => {
  assert.deepEqual(placesOf(rules), [
    { country: null, region: null },
    { country: 'US', region: null },
    { country: 'US', region: 'FL' },
  ]);
});

test('the windows of a region come before those of its country, and these before those for everybody', () => {
  const of = (country: string | null, region: string | null, purpose: 'marketing' | 'emergency' = 'marketing') =>
    windowsFor(rules, { country, region }, purpose);
  assert.deepEqual(of('US', 'FL'), [florida]);
  assert.deepEqual(of('US', 'FL', 'emergency'), [florida, emergency]);
  assert.deepEqual(of('US', 'TX'), [us]);
  assert.deepEqual(of('DE', null), [everybody]);
  assert.deepEqual(windowsFor({ windows: [us] }, { country: 'DE', region: null }, 'marketing'), []);
});

test('spans of a day that touch or overlap are one', () => {
  const windows: DialWindow[] = [
    { days: ['mon'], from: '13:00', to: '18:00' },
    { days: ['mon'], from: '09:00', to: '12:00' },
    { days: ['mon'], from: '11:30', to: '13:00' },
    { days: ['mon'], from: '20:00', to: '21:00' },
  ];
  assert.deepEqual(spansOf(windows, 'mon'), [
    { from: 540, to: 1080 },
    { from: 1200, to: 1260 },
  ]);
  assert.deepEqual(spansOf(windows, 'tue'), []);
});

test('a week is told in words, days with the same hours together', () => {
  const saturday: DialWindow = { days: ['sat'], from: '10:00', to: '14:00' };
  assert.equal(weekText([everybody, saturday]), 'Mon–Fri 09:00–18:00, Sat 10:00–14:00, Sun closed');
});

test('the other rules are sentences', () => {
  const sentences = sentencesOf({
    max_attempts: [
      { count: 1, days: 1 },
      { count: 3, days: 7, country: 'US', purposes: ['marketing'] },
    ],
    min_gap_s: 14_400,
    requires_consent: [{ purpose: 'marketing', country: 'US', region: 'FL' }],
    holidays: [{ date: '12-25' }],
    unknown_zone: 'deny',
  });
  assert.deepEqual(sentences, [
    'At most 1 call to a number within 24 hours.',
    'At most 3 calls for marketing to a number within 7 days (United States).',
    'At least 4 hours between two calls to a number.',
    'Calls for marketing need a consent (United States, FL).',
    'No calls on one day.',
    'Nobody is called whose time zone is not known for certain.',
  ]);
  assert.deepEqual(sentencesOf({}), []);
  const consents = (...countries: string[]) =>
    sentencesOf({ requires_consent: countries.map((country) => ({ purpose: 'marketing', country })) });
  assert.deepEqual(consents('DE', 'FR'), ['Calls for marketing need a consent (Germany; France).']);
  assert.deepEqual(consents('DE', 'FR', 'ES', 'IT'), ['Calls for marketing need a consent (in 4 places).']);
  assert.deepEqual([60, 90, 86_400, 7_200].map(gapText), ['1 minute', '90 seconds', '1 day', '2 hours']);
});

test('the limit on abandoned calls is a sentence with what holds by default, and its rate a percentage', () => {
  const sentence = (part: string) =>
    `A campaign dials nobody while more than ${part} of the calls that people answered `;
  assert.deepEqual(sentencesOf({ max_abandoned_rate: 0.03 }), [
    `${sentence('3 %')}in 30 days had no agent within 2 seconds.`,
  ]);
  assert.deepEqual(sentencesOf({ max_abandoned_rate: 0, abandoned_after_s: 1, abandoned_days: 1 }), [
    `${sentence('0 %')}today had no agent within 1 second.`,
  ]);
  assert.deepEqual(sentencesOf({ max_abandoned_rate: null, abandoned_days: 7 }), []);
  // Neither 2.9 / 100 nor 0.07 * 100 is what people write.
  for (const [rate, percent] of [
    [0.029, 2.9],
    [0.07, 7],
    [0.0005, 0.05],
    [1, 100],
  ] as const)
    assert.deepEqual([percentOf(rate), rateOf(percent)], [percent, rate]);
});
