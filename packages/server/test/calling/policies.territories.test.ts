import assert from 'node:assert/strict';
import { test } from 'node:test';
import { evaluate } from '../../src/calling/policies/evaluate.ts';
import { whereIs } from '../../src/calling/policies/person.ts';
import { allPresets } from '../../src/calling/policies/presets.ts';
import { type Rules, WEEKDAYS } from '../../src/calling/policies/schema.ts';
import { inputs } from '../support/policies.ts';

const MINUTE = 60_000;
const every = { days: [...WEEKDAYS] };

test('the presets of the United States hold in its territories, by their clocks', () => {
  const territories = [
    ['+17875550100', 'America/Puerto_Rico', '2027-01-12T12:00:00.000Z'],
    ['+13405550100', 'America/St_Thomas', '2027-01-12T12:00:00.000Z'],
    ['+16715550100', 'Pacific/Guam', '2027-01-11T22:00:00.000Z'],
    ['+16705550100', 'Pacific/Saipan', '2027-01-11T22:00:00.000Z'],
    ['+16845550100', 'Pacific/Pago_Pago', '2027-01-12T19:00:00.000Z'],
  ] as const;
  const consents = [{ id: 'c', purpose: 'marketing', obtained_at: '2027-01-01T00:00:00.000Z', revoked_at: null }];
  for (const { name, rules } of allPresets().filter((one) => one.name.startsWith('us-')))
    for (const [number, zone, opens] of territories) {
      const person = whereIs(number, {});
      assert.deepEqual(person.zones, [zone]);
      const before = new Date(Date.parse(opens) - MINUTE).toISOString();
      const { not_before } = evaluate(inputs(rules, before, { person, consents }));
      assert.equal(not_before?.toISOString(), opens, `${name} in ${zone}`);
      assert.equal(evaluate(inputs(rules, opens, { person })).reasons[0]?.rule, 'consent', `${name} in ${zone}`);
    }
});

test('hours for a territory come before those for its nation, and those for a region of the nation do not count', () => {
  const office = { ...every, country: 'US', from: '09:00', to: '17:00' };
  const person = whereIs('+17875550100', {});
  const at = '2027-01-12T11:30:00.000Z';
  const opens = (windows: Rules['windows']) => evaluate(inputs({ windows }, at, { person })).not_before?.toISOString();
  assert.equal(opens([office]), '2027-01-12T13:00:00.000Z');
  assert.equal(opens([office, { ...office, region: 'TX', from: '16:00' }]), '2027-01-12T13:00:00.000Z');
  assert.equal(opens([office, { ...office, country: 'PR', from: '08:00' }]), '2027-01-12T12:00:00.000Z');
});

test('holidays and a weekend defer a call to a number that may be anywhere in North America', () => {
  const { rules } = allPresets().find(({ name }) => name === 'us-tx') ?? assert.fail();
  const week = ['12-07', '12-08', '12-09', '12-10', '12-11'];
  const calls = [
    // A number that is free of charge: in any zone.
    ['+18005550100', ['12-24', '12-25'], '2026-12-23T01:00:00.000Z', '2026-12-27T23:00:00.000Z'],
    // An area code that no country has yet: in any country, too, whose hours are mostly the same.
    ['+12005550100', ['12-24', '12-25'], '2026-12-23T01:00:00.000Z', '2026-12-27T23:00:00.000Z'],
    ['+12005550100', week, '2026-12-05T12:31:00.000Z', '2026-12-13T23:00:00.000Z'],
  ] as const;
  for (const [number, dates, at, not_before] of calls) {
    const ours = { ...rules, requires_consent: [], holidays: dates.map((date) => ({ date })) };
    const evaluation = evaluate(inputs(ours, at, { person: whereIs(number, {}) }));
    assert.deepEqual(
      [evaluation.outcome, evaluation.not_before?.toISOString()],
      ['defer', not_before],
      `${number} ${at}`,
    );
  }
});
