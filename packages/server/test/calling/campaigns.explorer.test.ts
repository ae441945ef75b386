import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Step } from '../../src/calling/campaigns/states.ts';
import * as states from '../../src/calling/campaigns/states.ts';
import { evaluate, whereIs } from '../../src/calling/policies/policies.ts';

/**
 * A model of one recipient: two processes that take turns, may be killed between placing a call and dialling it, and
 * between dialling it and its end; a person who may ask not to be called at any moment; and a campaign that may be
 * paused and canceled. Every order of these is tried, with the functions that the service decides by.
 */
const STEP_MS = 8 * 3_600_000;
const START = Date.parse('2027-01-12T00:00:00.000Z');
const timeOf = (step: number) => new Date(START + step * STEP_MS);
/** The hours of three days: one more than there are attempts. */
const LAST_STEP = 7;
const PHONE = '+15005550100';
const RULES = { windows: [{ days: ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'], from: '08:00', to: '12:00' }] };
const RETRIES = { attempts: 2, on: ['busy' as const, 'interrupted' as const], delays_s: [60], spread: 0 };

interface Attempt {
  placedAt: number;
  wasSuppressed: boolean;
  /** How often its phone was dialled, and by whom it is to be: null once it is, or its process has died. */
  dials: number;
  by: number | null;
  /** The end of its call, as recorded; null while it is open. */
  end: 'busy' | 'answered' | 'interrupted' | null;
  isSettled: boolean;
}

interface World {
  step: number;
  campaign: 'running' | 'paused' | 'canceled';
  isSuppressed: boolean;
  kills: number;
  recipient: Step & { attempts: number };
  attempts: Attempt[];
}

const BEGIN: World = {
  step: 0,
  campaign: 'running',
  isSuppressed: false,
  kills: 0,
  recipient: { state: 'waiting', reason: null, next_at: timeOf(0), attempts: 0 },
  attempts: [],
};

/** The functions of the service, and what a turn does with them. */
const REAL = {
  ...states,
  /** Whether a turn takes this recipient: the condition of `claimRecipients`. */
  claims: ({ state, next_at }: Step, now: Date) =>
    (state === 'waiting' || state === 'deferred') && next_at !== null && next_at <= now,
  decide: (at: Date, isSuppressed: boolean) =>
    evaluate({
      kind: 'call',
      at: at.toISOString(),
      phone_number: PHONE,
      purpose: 'marketing',
      agent_id: null,
      person: whereIs(PHONE, { time_zone: 'UTC' }),
      policy: { name: 'p', version: 1, rules: RULES as never },
      suppressions: isSuppressed ? [{ id: 's', scope: 'user', scope_id: '', reason: 'asked', expires_at: null }] : [],
      consents: [],
      attempts: [],
    }),
  /** Whether a process that takes a turn dials what another one has placed. */
  takesOver: false,
};
type Functions = typeof REAL;

/** A turn, as one transaction: settles, then places. */
function turn(world: World, replica: number, real: Functions): World {
  const now = timeOf(world.step);
  let { recipient } = world;
  const ending = real.endingOf({ state: world.campaign, expires_at: null }, now);
  let attempts = world.attempts.map((attempt) => {
    if (attempt.isSettled || attempt.end === null) return attempt;
    const started_at = attempt.end === 'answered' ? now : null;
    const outcome = real.outcomeOf({ started_at, ended_at: now, end_reason: attempt.end, answered_by: null });
    const rules = { retries: RETRIES, reached_by: ['answered'], reached_dispositions: null };
    const step = real.afterCall(outcome, { attempts: recipient.attempts, ended_at: now }, rules, ending, 0.5);
    recipient = { ...recipient, ...step };
    return { ...attempt, isSettled: true };
  });
  if (ending !== null && (recipient.state === 'waiting' || recipient.state === 'deferred'))
    recipient = { ...recipient, state: ending, next_at: null };
  if (real.takesOver)
    attempts = attempts.map((one) =>
      one.by === null && one.end === null && !one.isSettled ? { ...one, by: replica } : one,
    );
  if (world.campaign === 'running' && ending === null && real.claims(recipient, now)) {
    const { outcome, not_before, reasons } = real.decide(now, world.isSuppressed);
    const rule = reasons[0]?.rule ?? '';
    if (outcome === 'allow') {
      recipient = { ...real.afterDecision({ kind: 'placed' }), attempts: recipient.attempts + 1 };
      const placed = { placedAt: world.step, wasSuppressed: world.isSuppressed, dials: 0, by: replica };
      attempts = [...attempts, { ...placed, end: null, isSettled: false }];
    } else {
      const answer = not_before
        ? ({ kind: 'deferred', not_before, rule: 'window' } as const)
        : ({ kind: 'denied', rule } as const);
      recipient = { ...recipient, ...real.afterDecision(answer) };
    }
  }
  return { ...world, recipient, attempts };
}

/** Everything that may happen next. */
function nexts(world: World, real: Functions): [string, World][] {
  const all: [string, World][] = [];
  const change = (name: string, fields: Partial<World>) => all.push([name, { ...world, ...fields }]);
  const attempt = (index: number, fields: Partial<Attempt>) =>
    world.attempts.map((one, place) => (place === index ? { ...one, ...fields } : one));
  if (world.step < LAST_STEP) change('time passes', { step: world.step + 1 });
  if (!world.isSuppressed) change('the person asks not to be called', { isSuppressed: true });
  if (world.campaign === 'running') change('paused', { campaign: 'paused' });
  if (world.campaign === 'paused') change('resumed', { campaign: 'running' });
  if (world.campaign !== 'canceled') change('canceled', { campaign: 'canceled' });
  for (const replica of [0, 1]) {
    all.push([`turn of ${replica}`, turn(world, replica, real)]);
    const mine = world.attempts.some(({ by }) => by === replica);
    if (mine && world.kills < 2) {
      const attempts = world.attempts.map((one) => (one.by === replica ? { ...one, by: null } : one));
      change(`${replica} is killed`, { attempts, kills: world.kills + 1 });
    }
  }
  for (const [index, { by, end, dials }] of world.attempts.entries()) {
    if (end !== null) continue;
    if (by !== null) change(`dialled by ${by}`, { attempts: attempt(index, { by: null, dials: dials + 1 }) });
    if (by !== null) continue;
    // Its phone ends the call, or the reconciler does, who knows nothing of it.
    if (dials > 0)
      for (const how of ['busy', 'answered'] as const) change(how, { attempts: attempt(index, { end: how }) });
    change('interrupted', { attempts: attempt(index, { end: 'interrupted' }) });
  }
  return all;
}

/** The first rule that a world breaks, after another one; null if it breaks none. */
function wrongWith(world: World, before: World | null): string | null {
  const { recipient, attempts } = world;
  if (attempts.some(({ dials }) => dials > 1)) return 'an attempt was dialled twice';
  if (attempts.some(({ wasSuppressed }) => wasSuppressed)) return 'somebody was called who had asked not to be';
  if (attempts.some(({ placedAt }) => timeOf(placedAt).getUTCHours() !== 8)) return 'a call outside of the hours';
  if (attempts.length > RETRIES.attempts) return 'more attempts than allowed';
  if (recipient.attempts !== attempts.length) return 'attempts are not counted';
  const open = attempts.filter(({ isSettled }) => !isSettled).length;
  if (open > 1) return 'two calls to one person at the same time';
  if ((open === 1) !== (recipient.state === 'dialling')) return 'a recipient without its call, or a call without one';
  const isWaiting = recipient.state === 'waiting' || recipient.state === 'deferred';
  if (isWaiting !== (recipient.next_at !== null)) return 'somebody was forgotten';
  if (before && !states.isOpen(before.recipient.state) && recipient.state !== before.recipient.state)
    return 'a final state was left';
  return null;
}

/** Tries every order; returns the first thing that goes wrong, and the number of worlds. */
function explore(real: Functions): { wrong: string | null; worlds: number; ends: Set<string> } {
  const keyOf = (world: World) => JSON.stringify(world);
  const seen = new Set([keyOf(BEGIN)]);
  const ends = new Set<string>();
  for (let worlds = [BEGIN]; worlds.length > 0; ) {
    const found: World[] = [];
    for (const world of worlds)
      for (const [, next] of nexts(world, real)) {
        const key = keyOf(next);
        if (seen.has(key)) continue;
        seen.add(key);
        const wrong = wrongWith(next, world);
        if (wrong) return { wrong, worlds: seen.size, ends };
        ends.add(next.recipient.state);
        found.push(next);
      }
    worlds = found;
  }
  return { wrong: null, worlds: seen.size, ends };
}

test('in no order of turns, kills and opt-outs is anybody called twice, against their will, or outside of the hours', () => {
  const { wrong, worlds, ends } = explore(REAL);
  assert.equal(wrong, null);
  assert.ok(worlds > 2_000, `${worlds} worlds`);
  assert.deepEqual([...ends].sort(), [
    'canceled',
    'deferred',
    'dialling',
    'exhausted',
    'reached',
    'suppressed',
    'waiting',
  ]);
});

const MUTATIONS: Record<string, [Partial<Functions>, string]> = {
  'a process dials what another one has placed': [{ takesOver: true }, 'an attempt was dialled twice'],
  'suppressions are not looked at': [
    { decide: (at) => REAL.decide(at, false) },
    'somebody was called who had asked not to be',
  ],
  'the hours are not looked at': [
    { decide: (_at, isSuppressed) => REAL.decide(new Date('2027-01-12T08:00:00.000Z'), isSuppressed) },
    'a call outside of the hours',
  ],
  'who is dialled is taken again': [
    { claims: (step, now) => REAL.claims(step, now) || step.state === 'dialling' },
    'two calls to one person at the same time',
  ],
  'attempts have no end': [
    { afterCall: (outcome, at, ...rest) => REAL.afterCall(outcome, { ...at, attempts: 1 }, ...rest) },
    'more attempts than allowed',
  ],
  'a retry has no time': [
    { afterCall: (...all) => ({ ...REAL.afterCall(...all), next_at: null }) },
    'somebody was forgotten',
  ],
  'a deferred recipient is given up': [
    {
      afterDecision: (answer) =>
        answer.kind === 'deferred' ? { ...REAL.afterDecision(answer), next_at: null } : REAL.afterDecision(answer),
    },
    'somebody was forgotten',
  ],
  'a call that ended leaves its recipient as it was': [
    { afterCall: () => ({ state: 'dialling', reason: null, next_at: null }) },
    'a recipient without its call, or a call without one',
  ],
  'a final state is dialled': [
    { claims: (step, now) => REAL.claims(step, now) || step.state === 'reached' },
    'more attempts than allowed',
  ],
};

for (const [name, [mutation, wrong]] of Object.entries(MUTATIONS))
  test(`the explorer finds: ${name}`, () => {
    assert.equal(explore({ ...REAL, ...mutation }).wrong, wrong);
  });
