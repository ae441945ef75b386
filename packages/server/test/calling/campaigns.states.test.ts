import assert from 'node:assert/strict';
import { test } from 'node:test';
import { numberFor, type Pacing, roomFor, type Situation, slotAfter } from '../../src/calling/campaigns/pacing.ts';
import { OUTCOMES, RECIPIENT_STATES, RETRIABLE } from '../../src/calling/campaigns/state-schema.ts';
import {
  afterCall,
  afterDecision,
  endingOf,
  isOpen,
  isUndecided,
  outcomeOf,
} from '../../src/calling/campaigns/states.ts';

const AT = new Date('2027-01-12T10:00:00.000Z');
const later = (ms: number) => new Date(AT.getTime() + ms);
const call = (fields: object) => ({ started_at: null, ended_at: AT, end_reason: null, answered_by: null, ...fields });

test('the outcome of a call says who answered, or why nobody did', () => {
  const answered = { started_at: AT, end_reason: 'hangup' };
  const table: [object | null, string][] = [
    [answered, 'answered'],
    [{ ...answered, answered_by: 'human' }, 'answered'],
    [{ ...answered, answered_by: 'unknown' }, 'answered'],
    [{ ...answered, answered_by: 'voicemail' }, 'voicemail'],
    [{ ...answered, answered_by: 'ivr' }, 'ivr'],
    [{ ...answered, answered_by: 'screening' }, 'screening'],
    [{ ...answered, answered_by: 'unavailable' }, 'unavailable'],
    [{ ...answered, answered_by: 'ai' }, 'ai'],
    [{ ...answered, answered_by: 'unknown' }, 'answered'],
    [{ ...answered, end_reason: 'agent_never_joined' }, 'abandoned'],
    [{ ...answered, end_reason: 'busy' }, 'answered'],
    [{ end_reason: 'busy' }, 'busy'],
    [{ end_reason: 'no_answer' }, 'no_answer'],
    [{ end_reason: 'declined' }, 'declined'],
    [{ end_reason: 'unavailable' }, 'unavailable'],
    [{ end_reason: 'invalid_number' }, 'invalid_number'],
    [{ end_reason: 'interrupted' }, 'interrupted'],
    [{ end_reason: 'canceled' }, 'canceled'],
    [{ end_reason: 'trunk_failure' }, 'failed'],
    [{ end_reason: 'agent_never_joined' }, 'failed'],
    [{ end_reason: null }, 'failed'],
    [null, 'interrupted'],
  ];
  for (const [fields, outcome] of table)
    assert.equal(outcomeOf(fields && call(fields)), outcome, JSON.stringify(fields));
  assert.deepEqual([...new Set(table.map(([, outcome]) => outcome))].sort(), [...OUTCOMES].sort());
});

test('the state after a call: reached, tried again after the delay of the attempt, or exhausted', () => {
  const retries = { attempts: 3, on: ['busy' as const, 'voicemail' as const], delays_s: [60, 600], spread: 0.5 };
  const rules = { retries, reached_by: ['answered', 'ivr'], reached_dispositions: null };
  const next = (outcome: (typeof OUTCOMES)[number], attempts: number, ending: 'canceled' | 'expired' | null = null) =>
    afterCall(outcome, { attempts, ended_at: AT }, rules, ending, 0.5);
  const final = (state: string, reason: string) => ({ state, reason, next_at: null });
  assert.deepEqual(next('answered', 1), final('reached', 'answered'));
  assert.deepEqual(next('ivr', 3, 'canceled'), final('reached', 'ivr'));
  assert.deepEqual(next('busy', 1), { state: 'waiting', reason: 'busy', next_at: later(60_000) });
  assert.deepEqual(next('voicemail', 2), { state: 'waiting', reason: 'voicemail', next_at: later(600_000) });
  assert.deepEqual(next('busy', 3), final('exhausted', 'busy'));
  assert.deepEqual(next('no_answer', 1), final('exhausted', 'no_answer'));
  assert.deepEqual(next('busy', 1, 'canceled'), final('canceled', 'busy'));
  assert.deepEqual(next('busy', 1, 'expired'), final('expired', 'busy'));
  const with4 = { ...rules, retries: { ...retries, attempts: 4 } };
  const spread = [0, 1].map((random) => afterCall('busy', { attempts: 3, ended_at: AT }, with4, null, random).next_at);
  assert.deepEqual(spread, [later(300_000), later(900_000)]);
  for (const outcome of ['invalid_number', 'canceled'] as const) {
    assert.ok(!RETRIABLE.some((one) => one === (outcome as string)));
    assert.equal(next(outcome, 1).state, 'exhausted');
  }
});

test('with dispositions, only calls that have one of them reach somebody, once it is known or too late', () => {
  const retries = { attempts: 2, on: ['answered' as const], delays_s: [60], spread: 0 };
  const rules = { retries, reached_by: ['answered'], reached_dispositions: ['booked', 'declined'] };
  const next = (disposition: string | null, attempts = 1) =>
    afterCall('answered', { attempts, ended_at: AT, disposition }, rules, null, 0.5);
  assert.deepEqual(next('booked'), { state: 'reached', reason: 'answered', next_at: null });
  assert.deepEqual(next('wrong_person'), { state: 'waiting', reason: 'answered', next_at: later(60_000) });
  assert.deepEqual(next(null, 2), { state: 'exhausted', reason: 'answered', next_at: null });
  const waits = (disposition: string | null, ms: number, outcome: (typeof OUTCOMES)[number] = 'answered') =>
    isUndecided(outcome, { disposition, updated_at: AT }, rules, later(ms));
  assert.deepEqual([waits(null, 0), waits(null, 29_999), waits(null, 30_000)], [true, true, false]);
  assert.deepEqual([waits('other', 0), waits(null, 0, 'busy')], [false, false]);
  assert.equal(
    isUndecided('answered', { disposition: null, updated_at: AT }, { ...rules, reached_dispositions: null }, AT),
    false,
  );
});

test('the state after a decision, and which states are open', () => {
  assert.deepEqual(afterDecision({ kind: 'placed' }), { state: 'dialling', reason: null, next_at: null });
  const deferred = afterDecision({ kind: 'deferred', not_before: AT, rule: 'min_gap' });
  assert.deepEqual(deferred, { state: 'deferred', reason: 'min_gap', next_at: AT });
  const denied = (rule: string) => afterDecision({ kind: 'denied', rule });
  assert.deepEqual(denied('suppression'), { state: 'suppressed', reason: 'suppression', next_at: null });
  assert.deepEqual(denied('consent'), { state: 'refused', reason: 'consent', next_at: null });
  assert.deepEqual(RECIPIENT_STATES.filter(isOpen), ['waiting', 'deferred', 'dialling', 'connected']);
  assert.equal(endingOf({ state: 'canceled', expires_at: null }, AT), 'canceled');
  assert.equal(endingOf({ state: 'running', expires_at: AT }, AT), 'expired');
  assert.equal(endingOf({ state: 'paused', expires_at: later(1) }, AT), null);
  assert.equal(endingOf({ state: 'draft', expires_at: AT }, AT), null);
});

const PACING: Pacing = { max_concurrent: 100, per_minute: 6_000, reserve_for_others: 0.2 };
const CIRCUIT = { failure_rate: 0.5, window_s: 60, min_calls: 10 };
const TOMORROW = new Date('2027-01-13T00:00:00.000Z');
const DAY = { today: 0, per_day: 100_000, day_ends_at: TOMORROW };
const USE = { open: 0, concurrent: 1_000, tokens: 1_000, burst: 1_000, ...DAY };

const room = (pacing: Partial<Pacing>, fields: Partial<Situation>) =>
  roomFor({ ...PACING, ...pacing }, CIRCUIT, {
    now: AT,
    open: 0,
    unattended: 0,
    user: USE,
    workers: null,
    campaigns: 1,
    next_slot_at: later(-60_000),
    affordable: null,
    isSpent: false,
    recent: { calls: 0, failures: 0 },
    abandonment: null,
    ...fields,
  });

test('the pace: concurrency, calls a minute, the share of others, the budget, and the circuit', () => {
  assert.deepEqual(room({}, {}), { calls: 50, blocked: null, until: null });
  assert.deepEqual(room({ max_concurrent: 12 }, { open: 7 }), { calls: 5, blocked: null, until: null });
  assert.deepEqual(room({ max_concurrent: 5 }, { open: 7 }), { calls: 0, blocked: null, until: null });
  assert.deepEqual(
    room({ per_minute: 60 }, {}),
    { calls: 3, blocked: null, until: null },
    'at most two seconds are made up for',
  );
  assert.deepEqual(room({ per_minute: 60 }, { next_slot_at: null }), { calls: 1, blocked: null, until: null });
  assert.deepEqual(room({ per_minute: 60 }, { next_slot_at: later(1) }), { calls: 0, blocked: null, until: null });
  assert.deepEqual(room({}, { user: { ...USE, open: 70, concurrent: 100 } }), {
    calls: 10,
    blocked: null,
    until: null,
  });
  assert.deepEqual(room({}, { user: { ...USE, open: 80, concurrent: 100 } }), {
    calls: 0,
    blocked: 'capacity',
    until: null,
  });
  assert.deepEqual(room({}, { user: { ...USE, open: 70, concurrent: 100 }, campaigns: 3 }), {
    calls: 4,
    blocked: null,
    until: null,
  });
  assert.deepEqual(room({}, { affordable: 3 }), { calls: 3, blocked: null, until: null });
  assert.deepEqual(room({}, { affordable: 0 }), { calls: 0, blocked: 'budget', until: null });
  const waits = { calls: 0, blocked: null, until: null };
  assert.deepEqual(room({}, { affordable: 0, open: 10 }), waits, 'what they cost is not known yet');
  assert.deepEqual(room({}, { affordable: -3, open: 10 }), waits);
  assert.deepEqual(room({}, { affordable: -10, open: 10, isSpent: true }), { ...waits, blocked: 'budget' });
  assert.deepEqual(room({}, { recent: { calls: 10, failures: 5 } }), { calls: 0, blocked: 'circuit', until: null });
  const abandonment = { is_exceeded: true, until: later(1) };
  assert.deepEqual(room({}, { abandonment }), { calls: 0, blocked: 'policy', until: later(1) });
  assert.deepEqual(room({}, { recent: { calls: 9, failures: 9 } }), { calls: 50, blocked: null, until: null });
  assert.deepEqual(room({}, { recent: { calls: 11, failures: 5 } }), { calls: 50, blocked: null, until: null });
});

test('nobody is called while calls wait for a worker, unless they are few among many', () => {
  const none = { calls: 0, blocked: 'capacity', until: null };
  assert.equal(room({}, { open: 2, unattended: 2 }).calls, 50);
  assert.deepEqual(room({}, { open: 3, unattended: 3 }), none);
  assert.deepEqual(room({}, { open: 59, unattended: 3 }), none);
  assert.equal(room({}, { open: 60, unattended: 3 }).calls, 40);
});

test('nobody is called for whom there is no worker, and a share of them is left to other calls', () => {
  const none = { calls: 0, blocked: 'capacity', until: null, needsWorker: true };
  const calls = (max_calls: number, open: number, reserve_for_others = 0.2, campaigns = 1) =>
    room({ reserve_for_others }, { workers: { max_calls, open }, campaigns });
  assert.equal(calls(10, 0).calls, 8);
  // Also inbound calls, and those of other users.
  assert.equal(calls(10, 7).calls, 1);
  assert.deepEqual(calls(10, 8), none);
  assert.deepEqual(calls(10, 12), none);
  assert.equal(calls(10, 0, 0.2, 3).calls, 3);
  assert.equal(calls(10, 9, 0).calls, 1);
  assert.equal(calls(1, 0).calls, 1, 'it would never dial otherwise');
  assert.equal(calls(1, 0, 1).calls, 0);
  assert.deepEqual(calls(0, 0), none, 'all workers have gone');
});

test('campaigns leave their share of a day and of a burst to other calls, of whoever they are', () => {
  const calls = (use: Partial<typeof USE>, reserve_for_others = 0.2, campaigns = 1) =>
    room({ reserve_for_others }, { user: { ...USE, ...use }, campaigns });
  const some = (count: number) => ({ calls: count, blocked: null, until: null });
  const none = { calls: 0, blocked: 'capacity', until: TOMORROW };
  assert.deepEqual(calls({ per_day: 100, today: 79 }), some(1));
  assert.deepEqual(calls({ per_day: 100, today: 80 }), none);
  assert.deepEqual(calls({ per_day: 100, today: 60 }, 0.2, 4), some(5));
  assert.deepEqual(calls({ per_day: 100, today: 99 }, 0), some(1));
  assert.deepEqual(calls({ per_day: 100, today: 100 }, 0), none);
  assert.deepEqual(calls({ per_day: 1 }), some(1), 'it would never dial otherwise');
  assert.deepEqual(calls({ concurrent: 1 }), some(1), 'nor with one call at a time');
  assert.deepEqual(calls({ per_day: 1 }, 1), { ...none, until: null }, 'the day after is like this one');
  // A second later there are more: nothing is blocked.
  assert.deepEqual(calls({ burst: 10, tokens: 4.9 }), some(2));
  assert.deepEqual(calls({ burst: 10, tokens: 2.9 }), some(0));
  assert.deepEqual(calls({ burst: 10, tokens: 0.5 }), some(0));
  assert.deepEqual(calls({ burst: 5, tokens: 5 }), some(4));
  assert.deepEqual(calls({ burst: 1, tokens: 1 }), some(1), 'it would never dial otherwise');
});

test('in an hour there are as many calls as the pace allows, whatever the turns', () => {
  for (const [per_minute, everyMs] of [
    [7, 250],
    [60, 333],
    [600, 900],
    [6_000, 1_999],
  ] as const) {
    let [slot, calls]: [Date | null, number] = [null, 0];
    for (let ms = 0; ms < 3_600_000; ms += everyMs) {
      const now = later(ms);
      const { calls: some } = room({ per_minute, max_concurrent: 1_000 }, { now, next_slot_at: slot });
      if (some > 0) slot = slotAfter({ ...PACING, per_minute }, now, slot, some);
      calls += some;
    }
    const wanted = Math.min(per_minute * 60, (3_600_000 / everyMs) * 50);
    assert.ok(calls <= wanted + 1 && calls > wanted * 0.95, `${calls} calls at ${per_minute} a minute`);
  }
});

test('somebody always sees the same number, and most do when others are added', () => {
  const numbers = ['+15005550010', '+15005550011', '+15005550012'];
  const people = Array.from({ length: 600 }, (_, n) => `+1500555${1000 + n}`);
  const before = people.map((phone) => numberFor(phone, numbers));
  assert.deepEqual(
    before,
    people.map((phone) => numberFor(phone, numbers.toReversed())),
  );
  for (const number of numbers) {
    const share = before.filter((one) => one === number).length;
    assert.ok(share > 140 && share < 260, `${share} of 600`);
  }
  const after = people.map((phone) => numberFor(phone, [...numbers, '+15005550013']));
  assert.ok(after.every((one, index) => one === before[index] || one === '+15005550013'));
  assert.equal(numberFor('+15005550100', []), null);
});
