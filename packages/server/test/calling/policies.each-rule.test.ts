// One small case for each rule of a policy; policies.rules.test.ts has what rules do together.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { evaluate, type Inputs, type Suppressed } from '../../src/calling/policies/evaluate.ts';
import { whereIs } from '../../src/calling/policies/person.ts';
import type { Rules } from '../../src/calling/policies/schema.ts';

const AT = '2027-01-12T14:30:00.000Z';
const DAY_MS = 86_400_000;
const BERLIN = { countries: ['DE'], regions: null, zones: ['Europe/Berlin'], zone_from: 'prefix' as const };
const DAYS = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'] as const;

function decide(rules: Rules, changes: Partial<Inputs> = {}) {
  return evaluate({
    kind: 'call',
    at: AT,
    phone_number: '+4930123456',
    purpose: 'marketing',
    agent_id: 'a',
    person: BERLIN,
    policy: { name: 'p', version: 1, rules },
    suppressions: [],
    consents: [],
    attempts: [],
    ...changes,
  });
}

const outcome = (...all: Parameters<typeof decide>) => decide(...all).outcome;
const ago = (ms: number, purpose = 'marketing') => ({ at: new Date(Date.parse(AT) - ms).toISOString(), purpose });

test('a suppression counts within its scope, until it expires', () => {
  const suppressed = (change: Partial<Suppressed>, call: Partial<Inputs> = {}) => {
    const one: Suppressed = { id: 's', scope: 'user', scope_id: '', reason: 'asked', expires_at: null, ...change };
    return outcome({}, { suppressions: [one], ...call });
  };
  assert.equal(suppressed({}), 'deny');
  assert.equal(suppressed({ expires_at: '2027-01-12T14:30:00.001Z' }), 'deny');
  assert.equal(suppressed({ expires_at: AT }), 'allow');
  for (const [scope, own, call] of [
    ['agent', 'a', {}],
    ['campaign', 'c', { campaign_id: 'c' }],
    ['purpose', 'marketing', {}],
  ] as const) {
    assert.equal(suppressed({ scope, scope_id: own }, call), 'deny', scope);
    assert.equal(suppressed({ scope, scope_id: 'other' }, call), 'allow', scope);
  }
  assert.equal(suppressed({ scope: 'campaign', scope_id: 'c' }), 'allow', 'a call of no campaign');
});

test('a consent is needed for its purpose, and counts for it from when it was obtained until it is revoked', () => {
  const rules: Rules = { requires_consent: [{ purpose: 'marketing' }] };
  const given = (change: object, call: Partial<Inputs> = {}) => {
    const one = { id: 'c', purpose: 'marketing', obtained_at: '2027-01-01T00:00:00.000Z', revoked_at: null, ...change };
    return outcome(rules, { consents: [one], ...call });
  };
  assert.deepEqual([outcome(rules), outcome(rules, { purpose: 'service' })], ['deny', 'allow']);
  assert.deepEqual([given({}), given({ purpose: 'service' })], ['allow', 'deny']);
  assert.deepEqual([given({ obtained_at: AT }), given({ obtained_at: '2027-01-12T14:30:00.001Z' })], ['allow', 'deny']);
  assert.equal(given({ revoked_at: '2027-01-02T00:00:00.000Z' }), 'deny');
});

test('attempts of 1, 7 and 30 days are counted, each over its days, and those of its purposes alone', () => {
  for (const days of [1, 7, 30]) {
    const rules: Rules = { max_attempts: [{ count: 2, days }] };
    const before = (...times: number[]) => outcome(rules, { attempts: times.map((time) => ago(time)) });
    assert.equal(before(0, days * DAY_MS - 1), 'defer', `${days} days`);
    assert.equal(before(0, days * DAY_MS), 'allow', `${days} days`);
    assert.equal(before(days * DAY_MS - 1), 'allow', 'fewer than the limit');
  }
  const rules: Rules = { max_attempts: [{ count: 1, days: 1, purposes: ['marketing'] }] };
  assert.equal(outcome(rules, { attempts: [ago(1_000, 'service')] }), 'allow');
  assert.equal(outcome(rules, { attempts: [ago(1_000)], purpose: 'service' }), 'allow');
});

test('between two calls there is the gap, whatever their purposes', () => {
  const after = (ms: number) => decide({ min_gap_s: 60 }, { attempts: [ago(ms, 'service')] });
  assert.equal(after(59_999).outcome, 'defer');
  assert.equal(after(59_999).not_before?.toISOString(), '2027-01-12T14:30:00.001Z');
  assert.equal(after(60_000).outcome, 'allow');
});

test('nobody is called on a holiday, of each year or of one, in the country that has it', () => {
  const on = (holiday: object) => outcome({ holidays: [{ date: '01-12', ...holiday }] });
  assert.deepEqual([on({}), on({ date: '2027-01-12' }), on({ country: 'DE' })], ['defer', 'defer', 'defer']);
  assert.deepEqual([on({ date: '01-13' }), on({ date: '2028-01-12' }), on({ country: 'FR' })], Array(3).fill('allow'));
});

test('a window is open from its first minute to the one before its end, and only for its purposes', () => {
  const window = { days: [...DAYS], from: '15:30', to: '16:00' };
  const at = (time: string) => outcome({ windows: [window] }, { at: `2027-01-12T${time}Z` });
  assert.deepEqual([at('14:29:59.999'), at('14:30:00.000')], ['defer', 'allow']);
  assert.deepEqual([at('14:59:59.999'), at('15:00:00.000')], ['allow', 'defer']);
  const other = { ...window, from: '08:00', to: '09:00', purposes: ['service' as const] };
  assert.equal(outcome({ windows: [other] }), 'allow');
  assert.equal(outcome({ windows: [{ ...window, days: ['mon'] }] }), 'defer', 'it is a Tuesday');
});

test('a policy that is named must be there, and a transfer has none', () => {
  const policy = { name: 'gone', version: null, rules: null };
  assert.deepEqual([outcome({}, { policy }), outcome({}, { policy, kind: 'transfer' })], ['deny', 'allow']);
  assert.equal(outcome({}, { policy: null }), 'allow');
});

test('the zone is the one that is given, otherwise that of the region, otherwise that of the number', () => {
  const zones = (place: Parameters<typeof whereIs>[1]) => whereIs('+12125550100', place).zones;
  assert.deepEqual(zones({ time_zone: 'Asia/Tokyo', region: 'DE' }), ['Asia/Tokyo']);
  assert.deepEqual(zones({ region: 'FR' }), ['Europe/Paris']);
  assert.deepEqual(zones({}), ['America/New_York']);
});
