import type { Step } from '../../src/calling/campaigns/states.ts';
import * as states from '../../src/calling/campaigns/states.ts';
import { isLate } from '../../src/calling/outbound/deciding.ts';
import { evaluate, type Rules, whereIs } from '../../src/calling/policies/policies.ts';

/**
 * A model of one recipient: two processes that take turns, the clock of one ahead, may be killed between placing a call
 * and dialling it, and between dialling it and its end, and may take any time to dial; a person who may ask not to be
 * called, or revoke a consent, at any moment; and a campaign that may be paused and canceled. Every order of these is
 * tried, with the functions that the service decides by.
 */
const SKEW_MS = 5_000;
/** Time for which a phone is dialled without asking again, as it is to be proved. */
const LATE_MS = 5_000;
/** Instants at which something may happen: around the hours of a day, on a holiday, and on the days after it. */
const TIMES = [
  '2027-01-12T07:59:57.000Z',
  '2027-01-12T08:00:00.000Z',
  '2027-01-12T09:00:00.000Z',
  '2027-01-12T10:00:00.000Z',
  '2027-01-12T11:59:58.000Z',
  '2027-01-12T12:00:02.000Z',
  '2027-01-12T12:00:20.000Z',
  '2027-01-13T09:00:00.000Z',
  '2027-01-14T09:00:00.000Z',
  '2027-01-15T09:00:00.000Z',
].map((time) => Date.parse(time));
const HOLIDAY = '2027-01-13';
const [OPENS, CLOSES] = [8, 12];
const MIN_GAP_MS = 5_400_000;
/** Calls in 24 hours: the hours of a day have time for three. */
const MAX_CALLS = 2;
const DAY_MS = 86_400_000;
const PHONE = '+15005550100';
export const RULES: Rules = {
  windows: [{ days: ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'], from: '08:00', to: '12:00' }],
  holidays: [{ date: HOLIDAY }],
  max_attempts: [{ count: MAX_CALLS, days: 1 }],
  min_gap_s: MIN_GAP_MS / 1000,
  requires_consent: [{ purpose: 'marketing' }],
};
const RETRIES = { attempts: 3, on: ['busy' as const, 'interrupted' as const], delays_s: [60], spread: 0 };

interface Attempt {
  /** By the clock of its process. */
  placedAt: number;
  /** By whom its phone is to be dialled: null once it was, or its process has died. */
  by: number | null;
  dials: number;
  /** The end of its call, as recorded; null while it is open. */
  end: 'busy' | 'answered' | 'interrupted' | null;
  isSettled: boolean;
}

export interface World {
  step: number;
  campaign: 'running' | 'paused' | 'canceled';
  /** For how long the person has asked not to be called, and revoked the consent: up to `LONG_MS`. Null: not. */
  asked: number | null;
  revoked: number | null;
  kills: number;
  recipient: Step & { attempts: number };
  attempts: Attempt[];
  /** The rule that was broken when something was placed or dialled. */
  wrong: string | null;
}

/** From then on it does not matter how long ago. */
const LONG_MS = LATE_MS + 1;

export const BEGIN: World = {
  step: 0,
  campaign: 'running',
  asked: null,
  revoked: null,
  kills: 0,
  recipient: { state: 'waiting', reason: null, next_at: new Date(TIMES[0] ?? 0), attempts: 0 },
  attempts: [],
  wrong: null,
};

const timeAt = (step: number) => TIMES[step] ?? Number.NaN;
/** The time as a process has it. */
const clockOf = (world: World, replica: number) => new Date(timeAt(world.step) + replica * SKEW_MS);

interface Facts {
  isSuppressed: boolean;
  isRevoked: boolean;
  /** Times of earlier calls. */
  calls: number[];
}

/** Decisions that were made before: the same facts come up in many worlds. */
const known = new Map<string, ReturnType<typeof evaluate>>();

function decide(at: Date, facts: Facts, rules: Rules = RULES) {
  const key = JSON.stringify([at, facts, Object.keys(rules)]);
  const verdict = known.get(key) ?? decideAnew(at, facts, rules);
  known.set(key, verdict);
  return verdict;
}

function decideAnew(at: Date, { isSuppressed, isRevoked, calls }: Facts, rules: Rules) {
  const revoked_at = isRevoked ? at.toISOString() : null;
  return evaluate({
    kind: 'call',
    at: at.toISOString(),
    phone_number: PHONE,
    purpose: 'marketing',
    agent_id: null,
    person: whereIs(PHONE, { time_zone: 'UTC' }),
    policy: { name: 'p', version: 1, rules },
    suppressions: isSuppressed ? [{ id: 's', scope: 'user', scope_id: '', reason: 'asked', expires_at: null }] : [],
    consents: [{ id: 'c', purpose: 'marketing', obtained_at: '2026-01-15T09:30:00.000Z', revoked_at }],
    attempts: calls.map((call) => ({ at: new Date(call).toISOString(), purpose: 'marketing' })),
  });
}

/** The functions of the service, and what a turn does with them. */
export const REAL = {
  ...states,
  isLate,
  /** Whether a turn takes this recipient: the condition of `claimRecipients`. */
  claims: ({ state, next_at }: Step, now: Date) =>
    (state === 'waiting' || state === 'deferred') && next_at !== null && next_at <= now,
  decide,
  /** The decision about a late phone. */
  decideAgain: decide,
  /** Whether a turn settles this attempt: the condition of `openAttempts`, once its call has ended. */
  settles: ({ isSettled, end }: Attempt) => !isSettled && end !== null,
  /** The number that an attempt adds to those of its recipient. */
  counted: 1,
  /** Whether a process that takes a turn dials what another one has placed. */
  takesOver: false,
};
export type Functions = typeof REAL;

const factsOf = ({ asked, revoked }: World, calls: number[]): Facts => ({
  isSuppressed: asked !== null,
  isRevoked: revoked !== null,
  calls,
});

/** A turn, as one transaction: settles, then places. */
function turn(world: World, replica: number, real: Functions): World {
  const now = clockOf(world, replica);
  const ending = real.endingOf({ state: world.campaign, expires_at: null }, now);
  let { recipient, attempts } = settled(world, now, ending, real);
  if (ending !== null && (recipient.state === 'waiting' || recipient.state === 'deferred'))
    recipient = { ...recipient, state: ending, next_at: null };
  if (real.takesOver)
    attempts = attempts.map((one) =>
      one.by === null && one.end === null && !one.isSettled ? { ...one, by: replica } : one,
    );
  const after = { ...world, recipient, attempts };
  const isDue = real.isDialling(world.campaign, ending) && real.claims(recipient, now);
  return isDue ? place(after, replica, now, real) : after;
}

function settled(world: World, now: Date, ending: states.Ending, real: Functions) {
  let { recipient } = world;
  const attempts = world.attempts.map((attempt) => {
    if (!real.settles(attempt)) return attempt;
    const started_at = attempt.end === 'answered' ? now : null;
    const outcome = real.outcomeOf({ started_at, ended_at: now, end_reason: attempt.end, answered_by: null });
    const rules = { retries: RETRIES, reached_by: ['answered'], reached_dispositions: null };
    const step = real.afterCall(outcome, { attempts: recipient.attempts, ended_at: now }, rules, ending, 0.5);
    recipient = { ...recipient, ...step };
    // Its outcome does not matter any more.
    return { ...attempt, end: 'interrupted' as const, dials: 0, isSettled: true };
  });
  return { recipient, attempts };
}

function place(world: World, replica: number, now: Date, real: Functions): World {
  const { recipient, attempts } = world;
  const calls = attempts.map(({ placedAt }) => placedAt);
  const { outcome, not_before, reasons } = real.decide(now, factsOf(world, calls));
  if (outcome !== 'allow') {
    const rule = reasons[0]?.rule ?? '';
    const answer = not_before ? ({ kind: 'deferred', not_before, rule } as const) : ({ kind: 'denied', rule } as const);
    return { ...world, recipient: { ...recipient, ...real.afterDecision(answer) } };
  }
  const placed = { placedAt: now.getTime(), by: replica, dials: 0, end: null, isSettled: false };
  return {
    ...world,
    recipient: { ...real.afterDecision({ kind: 'placed' }), attempts: recipient.attempts + real.counted },
    attempts: [...attempts, placed],
    wrong: wrongToPlace(world, now.getTime()),
  };
}

/** The process of an attempt dials its phone, or decides again, by then, that it must not. */
function dial(world: World, index: number, real: Functions): World {
  const attempt = world.attempts[index];
  if (attempt?.by == null) return world;
  const now = clockOf(world, attempt.by);
  const change = (fields: Partial<Attempt>, wrong: string | null = world.wrong): World => ({
    ...world,
    attempts: world.attempts.map((one, place) => (place === index ? { ...one, by: null, ...fields } : one)),
    wrong,
  });
  if (real.isLate(new Date(attempt.placedAt), now) && real.decideAgain(now, factsOf(world, [])).outcome !== 'allow')
    return change({ end: 'interrupted' });
  return change({ dials: attempt.dials + 1 }, wrongToDial(world));
}

/** Whether the hours include one of these moments. */
function isWithinHours(from: number, to: number): boolean {
  const [opens, closes] = [OPENS, CLOSES].map((hour) => new Date(to).setUTCHours(hour, 0, 0, 0));
  const isHoliday = new Date(to).toISOString().startsWith(HOLIDAY);
  return !isHoliday && to >= (opens ?? 0) && from < (closes ?? 0);
}

/** The rule that a call breaks which is placed now; `at` is by the clock of its process. */
function wrongToPlace({ campaign, asked, revoked, step, attempts }: World, at: number): string | null {
  const now = timeAt(step);
  if (campaign !== 'running') return `a call was placed while the campaign was ${campaign}`;
  if (asked !== null) return 'somebody was called who had asked not to be';
  if (revoked !== null) return 'somebody was called without a consent';
  if (!isWithinHours(now - SKEW_MS, now + SKEW_MS)) return 'a call outside of the hours';
  if (attempts.some(({ placedAt }) => at - placedAt < MIN_GAP_MS)) return 'calls too soon one after another';
  return attempts.filter(({ placedAt }) => at - placedAt < DAY_MS).length >= MAX_CALLS
    ? 'more calls than the policy allows'
    : null;
}

/** The rule that a phone breaks which rings now. */
function wrongToDial({ asked, revoked, step }: World): string | null {
  const now = timeAt(step);
  if (asked !== null && asked > LATE_MS) return 'a phone was dialled long after its owner had asked not to be called';
  if (revoked !== null && revoked > LATE_MS) return 'a phone was dialled long after the consent was revoked';
  return isWithinHours(now - LATE_MS - SKEW_MS, now + SKEW_MS) ? null : 'a phone was dialled outside of the hours';
}

/** Everything that may happen next. */
export function nexts(world: World, real: Functions): World[] {
  const all: World[] = [];
  const change = (fields: Partial<World>) => all.push({ ...world, ...fields });
  const { step, campaign, asked, revoked, kills, attempts } = world;
  const turns = [0, 1].map((replica) => turn(world, replica, real));
  // Nobody is called any more, unless a turn does what it must not.
  if (!states.isOpen(world.recipient.state) && attempts.every(({ isSettled }) => isSettled)) return turns;
  all.push(...turns);
  if (step < TIMES.length - 1) {
    const later = (since: number | null) =>
      since === null ? null : Math.min(LONG_MS, since + timeAt(step + 1) - timeAt(step));
    change({ step: step + 1, asked: later(asked), revoked: later(revoked) });
  }
  if (asked === null) change({ asked: 0 });
  if (revoked === null) change({ revoked: 0 });
  if (campaign === 'running') change({ campaign: 'paused' });
  if (campaign === 'paused') change({ campaign: 'running' });
  if (campaign !== 'canceled') change({ campaign: 'canceled' });
  for (const replica of [0, 1]) {
    if (kills < 2 && attempts.some(({ by }) => by === replica))
      change({ attempts: attempts.map((one) => (one.by === replica ? { ...one, by: null } : one)), kills: kills + 1 });
  }
  for (const [index, { by, end, dials }] of attempts.entries()) {
    if (end !== null) continue;
    if (by !== null) all.push(dial(world, index, real));
    // Its phone ends the call, or the reconciler does, who knows nothing of it.
    else
      for (const how of ['busy', 'answered', 'interrupted'] as const)
        if (dials > 0 || how === 'interrupted')
          change({ attempts: attempts.map((one, place) => (place === index ? { ...one, end: how } : one)) });
  }
  return all;
}

/** The first rule that a world breaks, after another one; null if it breaks none. */
export function wrongWith(world: World, before: World): string | null {
  const { recipient, attempts } = world;
  if (attempts.some(({ dials }) => dials > 1)) return 'an attempt was dialled twice';
  if (!states.isOpen(before.recipient.state) && recipient.state !== before.recipient.state)
    return 'a final state was left';
  const open = attempts.filter(({ isSettled }) => !isSettled).length;
  if (open > 1) return 'two calls to one person at the same time';
  if (recipient.attempts !== attempts.length) return 'attempts are not counted';
  if (world.wrong !== null) return world.wrong;
  if (attempts.length > RETRIES.attempts) return 'more attempts than allowed';
  if ((open === 1) !== (recipient.state === 'dialling')) return 'a recipient without its call, or a call without one';
  const isWaiting = recipient.state === 'waiting' || recipient.state === 'deferred';
  return isWaiting !== (recipient.next_at !== null) ? 'somebody was forgotten' : null;
}
