import { type Pacing, roomFor, type Situation } from '../../src/calling/campaigns/pacing.ts';
import type { Step } from '../../src/calling/campaigns/states.ts';
import * as states from '../../src/calling/campaigns/states.ts';
import { createDecide, type DialAttempt, isLate } from '../../src/calling/outbound/dial-attempts.ts';
import type { Evaluation, Rules } from '../../src/calling/policies/policies.ts';
import {
  type Attempt,
  change,
  eachRecipient,
  type Facts,
  factsOf,
  HOLIDAY,
  isWaiting,
  LONG_MS,
  MAX_CALLS,
  MIN_GAP_MS,
  RETRIES,
  type Recipient,
  recipientsOf,
  type Scope,
  SKEW_MS,
  situationOf,
  timeAt,
  type World,
  wishes,
  withAttempt,
  wrongToDial,
  wrongToPlace,
} from './campaign-world.ts';

export const RULES: Rules = {
  windows: [{ days: ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'], from: '08:00', to: '12:00' }],
  holidays: [{ date: HOLIDAY }],
  max_attempts: [{ count: MAX_CALLS, days: 1 }],
  min_gap_s: MIN_GAP_MS / 1000,
  requires_consent: [{ purpose: 'marketing' }],
};

/** Decisions that were made before: the same facts come up in many worlds. */
const known = new Map<string, Evaluation[]>();

function decide(at: Date, facts: Facts[], rules: Rules = RULES): Evaluation[] {
  const key = JSON.stringify([at, facts, Object.keys(rules)]);
  const evaluations = known.get(key) ?? decideAnew(at, facts, rules);
  known.set(key, evaluations);
  return evaluations;
}

/** Decides about the calls of a turn one after the other, as the transaction that places them does. */
function decideAnew(at: Date, facts: Facts[], rules: Rules): Evaluation[] {
  const policies = [{ name: 'p', version: 1, is_default: true, rules: JSON.stringify(rules) }];
  const numbers = facts.map(({ isSuppressed, isRevoked, calls }, place) => ({
    place,
    suppressions: isSuppressed
      ? [{ id: 's', scope: 'user' as const, scope_id: '', reason: 'asked', expires_at: null }]
      : null,
    consents: [
      {
        id: 'c',
        purpose: 'marketing',
        obtained_at: '2026-01-15T09:30:00.000Z',
        revoked_at: isRevoked ? at.toISOString() : null,
      },
    ],
    attempts: calls.map((call) => ({ at: new Date(call).toISOString(), purpose: 'marketing' })),
  }));
  const decisions = createDecide(new Map([['u', { phones: 0, budget: null, policies, numbers }]]), at);
  return facts.map((one, place) => {
    const decision = decisions.decide(attemptOf(one), place);
    if (decision.evaluation.outcome === 'allow') decisions.count(decision);
    return decision.evaluation;
  });
}

const attemptOf = ({ phone, isPlaced }: Facts): DialAttempt => ({
  kind: 'call',
  user_id: 'u',
  call_id: '00000000-0000-7000-8000-000000000000',
  agent_id: null,
  phone_number: `+1500555010${phone}`,
  number_hash: '',
  purpose: 'marketing',
  policy: 'p',
  campaign_id: null,
  place: { time_zone: 'UTC' },
  ...(isPlaced && { isPlaced }),
});

/** The functions of the service, and what a turn does with them. */
export const REAL = {
  ...states,
  isLate,
  roomFor: (pacing: Pacing, situation: Situation) => roomFor(pacing, null, situation),
  /** Whether a turn takes this recipient: the condition of `claimRecipients`. */
  claims: ({ state, next_at }: Step, now: Date) =>
    (state === 'waiting' || state === 'deferred') && next_at !== null && next_at <= now,
  decide,
  /** Whether a phone is decided about again that is not late: the condition of `stillAllows`. */
  asksAgain: ({ isSuppressed }: Facts) => isSuppressed,
  /** The decision about a phone that is late, or suppressed. */
  decideAgain: decide,
  /** Whether a turn ends those who wait, once the campaign has ended: as `endWaiting` does. */
  endsWaiting: true,
  /** Whether a turn settles this attempt: the condition of `openAttempts`, once its call has ended. */
  settles: ({ isSettled, end }: Attempt) => !isSettled && end !== null,
  /** The number that an attempt adds to those of its recipient. */
  counted: 1,
  /** Whether a process that takes a turn dials what another one has placed. */
  takesOver: false,
};
export type Functions = typeof REAL;

/**
 * A model of a campaign: two processes that take turns, the clock of one ahead, may be killed between placing a call
 * and dialling it, and between dialling it and its end, and may take any time to dial; people who may ask not to be
 * called, or revoke a consent, at any moment; and a campaign that may be paused and canceled, and expires. Every order
 * of these is tried, with the functions that the service decides by.
 */
export function createModel(scope: Scope, real: Functions) {
  const { times, expires_at, max_concurrent } = scope;
  /** The time as a process has it. */
  const clockOf = (world: World, replica: number) => new Date(timeAt(scope, world.step) + replica * SKEW_MS);

  /** A turn, as one transaction: settles, then places. */
  function turn(world: World, replica: number): World {
    const now = clockOf(world, replica);
    const ending = real.endingOf({ state: world.campaign, expires_at }, now);
    const end = (recipient: Recipient): Recipient =>
      ending !== null && real.endsWaiting && isWaiting(recipient)
        ? { ...recipient, state: ending, next_at: null }
        : recipient;
    const after = eachRecipient(world, (one) => end(settled(takenOver(one, replica, real), now, ending, real)));
    const placed = real.isDialling(world.campaign, ending) ? place(after, replica, now) : after;
    const isLeft = ending !== null && recipientsOf(placed).some(isWaiting);
    return isLeft ? { ...placed, wrong: placed.wrong ?? 'somebody waits for a campaign that has ended' } : placed;
  }

  /** Places the calls of a turn, as far as there is room for them. */
  function place(world: World, replica: number, now: Date): World {
    const all = world.phones.flatMap(({ recipients }, phone) =>
      recipients.map((recipient, index) => ({ recipient, phone, index })),
    );
    const room = real.roomFor(
      { max_concurrent, per_minute: 6_000, reserve_for_others: 0 },
      situationOf(scope, world, now),
    );
    const due = all.filter(({ recipient }) => real.claims(recipient, now));
    const next = due.sort((a, b) => Number(a.recipient.next_at) - Number(b.recipient.next_at)).slice(0, room.calls);
    const evaluations = real.decide(
      now,
      next.map(({ phone }) => factsOf(world, phone)),
    );
    return next.reduce((before, { phone, index }, number) => {
      const evaluation = evaluations[number];
      if (evaluation?.outcome !== 'allow') return change(before, phone, index, answered(evaluation, real));
      const call = { placedAt: now.getTime(), by: replica, dials: 0, end: null, isSettled: false };
      const wrong = before.wrong ?? wrongToPlace(scope, before, phone, now.getTime());
      return { ...change(before, phone, index, placedBy(call, real)), wrong };
    }, world);
  }

  /** The process of an attempt dials its phone, or decides again, by then, that it must not. */
  function dial(world: World, phone: number, index: number, attempt: Attempt): World {
    const now = clockOf(world, attempt.by ?? 0);
    const changed = (fields: Partial<Attempt>) =>
      change(world, phone, index, (one) => withAttempt(one, attempt, { by: null, ...fields }));
    const facts: Facts = { ...factsOf(world, phone), calls: [], isPlaced: true };
    const isAsked = real.isLate(new Date(attempt.placedAt), now) || real.asksAgain(facts);
    if (isAsked && real.decideAgain(now, [facts])[0]?.outcome !== 'allow') return changed({ end: 'interrupted' });
    const wrong = world.wrong ?? wrongToDial(scope, world, phone);
    return { ...changed({ dials: attempt.dials + 1 }), wrong };
  }

  /** Everything that may happen next. */
  function nexts(world: World): World[] {
    const turns = [0, 1].map((replica) => turn(world, replica));
    // Nobody is called any more, unless a turn does what it must not.
    const isOver = recipientsOf(world).every(
      ({ state, placed }) => !states.isOpen(state) && placed.every(({ isSettled }) => isSettled),
    );
    if (isOver) return turns;
    return [...turns, ...laterOf(world), ...wishes(world, scope.mayRevoke), ...kills(world), ...calls(world)];
  }

  function laterOf(world: World): World[] {
    const { step, phones } = world;
    if (step >= times.length - 1) return [];
    const ms = timeAt(scope, step + 1) - timeAt(scope, step);
    const later = (since: number | null) => (since === null ? null : Math.min(LONG_MS, since + ms));
    const next = phones.map((phone) => ({ ...phone, asked: later(phone.asked), revoked: later(phone.revoked) }));
    return [{ ...world, step: step + 1, phones: next }];
  }

  /** A process dies, and with it whoever was to dial what it has placed. */
  function kills(world: World): World[] {
    if (world.kills >= scope.kills) return [];
    const all = recipientsOf(world).flatMap(({ placed }) => placed);
    return [0, 1]
      .filter((replica) => all.some(({ by }) => by === replica))
      .map((replica) => {
        const orphaned = (one: Attempt) => (one.by === replica ? { ...one, by: null } : one);
        const after = eachRecipient(world, (one) => ({ ...one, placed: one.placed.map(orphaned) }));
        return { ...after, kills: world.kills + 1 };
      });
  }

  /** Phones are dialled, and calls end: their phones say so, or the reconciler, who knows nothing of them. */
  function calls(world: World): World[] {
    return world.phones.flatMap(({ recipients }, phone) =>
      recipients.flatMap(({ placed }, index) =>
        placed.flatMap((attempt) => {
          if (attempt.end !== null) return [];
          if (attempt.by !== null) return [dial(world, phone, index, attempt)];
          const ends = attempt.dials > 0 ? (['busy', 'answered', 'interrupted'] as const) : (['interrupted'] as const);
          return ends.map((end) => change(world, phone, index, (one) => withAttempt(one, attempt, { end })));
        }),
      ),
    );
  }

  return { nexts };
}

function takenOver(recipient: Recipient, replica: number, { takesOver }: Functions): Recipient {
  const taken = (one: Attempt) =>
    one.by === null && one.end === null && !one.isSettled ? { ...one, by: replica } : one;
  return takesOver ? { ...recipient, placed: recipient.placed.map(taken) } : recipient;
}

function settled(before: Recipient, now: Date, ending: states.Ending, real: Functions): Recipient {
  let recipient = before;
  const placed = before.placed.map((attempt) => {
    if (!real.settles(attempt)) return attempt;
    const started_at = attempt.end === 'answered' ? now : null;
    const outcome = real.outcomeOf({ started_at, ended_at: now, end_reason: attempt.end, answered_by: null });
    const rules = { retries: RETRIES, reached_by: ['answered'], reached_dispositions: null };
    const step = real.afterCall(outcome, { attempts: recipient.attempts, ended_at: now }, rules, ending, 0.5);
    recipient = { ...recipient, ...step };
    // Its outcome does not matter any more.
    return { ...attempt, end: 'interrupted' as const, dials: 0, isSettled: true };
  });
  return { ...recipient, placed };
}

const placedBy =
  (call: Attempt, { afterDecision, counted }: Functions) =>
  (one: Recipient): Recipient => ({
    ...one,
    ...afterDecision({ kind: 'placed' }),
    attempts: one.attempts + counted,
    placed: [...one.placed, call],
  });

const answered = (evaluation: Evaluation | undefined, real: Functions) => (recipient: Recipient) => {
  const { not_before = null, reasons = [] } = evaluation ?? {};
  const rule = reasons[0]?.rule ?? '';
  const answer = not_before ? ({ kind: 'deferred', not_before, rule } as const) : ({ kind: 'denied', rule } as const);
  return { ...recipient, ...real.afterDecision(answer) };
};
