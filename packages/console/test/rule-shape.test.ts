import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { DialRules } from '@switchboard/client';
import { isSameRules, notInForm, parseRules } from '../src/data/rule-shape.ts';

const inForm = (rules: object) => notInForm(rules as DialRules);

test('the form shows rules as the service takes them, and a number that is being typed', () => {
  assert.equal(inForm({}), null);
  const windows = [{ days: ['mon'], from: '09:00', to: '18:00', country: 'US', purposes: ['marketing'] }];
  const holidays = [{ date: '12-25' }];
  const requires_consent = [{ purpose: 'marketing', region: 'TX' }];
  assert.equal(inForm({ windows, holidays, requires_consent, max_attempts: [{ count: 3, days: 7 }] }), null);
  assert.equal(inForm({ max_attempts: [{ days: 7 }], min_gap_s: null, max_abandoned_rate: 0.03 }), null);
  assert.equal(inForm({ max_abandoned_rate: null, abandoned_after_s: 4, abandoned_days: 7 }), null);
});

test('rules of another shape are not shown in the form, and the first place is named', () => {
  const hours = { days: ['mon'], from: '09:00', to: '18:00' };
  const wrong = {
    windows: { windows: {} },
    'windows.0': { windows: [null] },
    'windows.0.days': { windows: [{ country: 'US' }] },
    'windows.1.from': { windows: [hours, { ...hours, from: 9 }] },
    'windows.0.purposes': { windows: [{ ...hours, purposes: 'marketing' }] },
    'windows.0.country': { windows: [{ ...hours, country: ['D', 'E'] }] },
    'max_attempts.0.count': { max_attempts: [{ count: '3', days: 7 }] },
    'requires_consent.0.purpose': { requires_consent: [{}] },
    'holidays.0.date': { holidays: [{ date: {} }] },
    holidays: { holidays: null },
    min_gap_s: { min_gap_s: 'long' },
    max_abandoned_rate: { max_abandoned_rate: '3 %' },
    abandoned_after_s: { abandoned_after_s: [2] },
    abandoned_days: { max_abandoned_rate: null, abandoned_days: {} },
  };
  assert.deepEqual(Object.values(wrong).map(inForm), Object.keys(wrong));
});

test('rules are a JSON object, and the same if they say the same', () => {
  for (const text of ['', '[]', 'null', '1', '{']) assert.equal(parseRules(text), null);
  assert.deepEqual(parseRules('{"min_gap_s": 60}'), { min_gap_s: 60 });
  assert.ok(isSameRules({ windows: [], min_gap_s: null }, {}));
  assert.ok(!isSameRules({ min_gap_s: 60 }, {}));
});
