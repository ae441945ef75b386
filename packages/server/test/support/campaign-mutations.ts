import type { Rules } from '../../src/calling/policies/policies.ts';
import type { SCOPES } from './campaign-explorer.ts';
import { type Functions, REAL, RULES } from './campaign-model.ts';

const EXPIRING = 'one person, and the campaign expires';
const TWICE = 'somebody who is in the list twice';
const TWO_PEOPLE = 'two people, with room for one call at a time and money for three';

/** The rules without one of them. */
const without = (rule: keyof Rules): Partial<Functions> => {
  const { [rule]: _, ...others } = RULES;
  return { decide: (at, facts) => REAL.decide(at, facts, others) };
};

type Mutation = [mutation: Partial<Functions>, wrong: string, scope?: keyof typeof SCOPES];

/** Rules of the dialler that are broken, with what the explorer finds then, and among whom. */
export const MUTATIONS: Record<string, Mutation> = {
  'a process dials what another one has placed': [{ takesOver: true }, 'an attempt was dialled twice'],
  'suppressions are not looked at': [
    {
      decide: (at, facts) =>
        REAL.decide(
          at,
          facts.map((one) => ({ ...one, isSuppressed: false })),
        ),
    },
    'somebody was called who had asked not to be',
  ],
  'revoked consents are not looked at': [
    {
      decide: (at, facts) =>
        REAL.decide(
          at,
          facts.map((one) => ({ ...one, isRevoked: false })),
        ),
    },
    'somebody was called without a consent',
  ],
  'consents are not asked for': [without('requires_consent'), 'somebody was called without a consent'],
  'the hours are not looked at': [without('windows'), 'a call outside of the hours'],
  'holidays are not looked at': [without('holidays'), 'a call outside of the hours'],
  'the time between calls is not looked at': [without('min_gap_s'), 'calls too soon one after another'],
  'attempts of a period are not looked at': [without('max_attempts'), 'more calls than the policy allows'],
  'suppressions are not looked at again for a late phone': [
    {
      decideAgain: (at, facts) =>
        REAL.decide(
          at,
          facts.map((one) => ({ ...one, isSuppressed: false })),
        ),
    },
    'a phone was dialled after its owner had asked not to be called',
  ],
  'suppressions are not looked at again before a phone is dialled': [
    { asksAgain: () => false },
    'a phone was dialled after its owner had asked not to be called',
  ],
  'late phones are dialled as they were decided': [
    { isLate: () => false },
    'a phone was dialled long after the consent was revoked',
  ],
  'phones are late after half a minute': [
    { isLate: (decided_at, now) => now.getTime() - decided_at.getTime() > 30_000 },
    'a phone was dialled outside of the hours',
  ],
  'a paused campaign places calls': [
    { isDialling: (state, ending) => REAL.isDialling(state === 'paused' ? 'running' : state, ending) },
    'a call was placed while the campaign was paused',
  ],
  'a canceled campaign places calls': [
    { endingOf: () => null, isDialling: (state) => state !== 'paused' },
    'a call was placed while the campaign was canceled',
  ],
  'attempts are not counted': [{ counted: 0 }, 'attempts are not counted'],
  'who is dialled is taken again': [
    { claims: (step, now) => REAL.claims(step, now) || step.state === 'dialling' },
    'a recipient without its call, or a call without one',
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
  'a call is settled twice': [{ settles: ({ end }) => end !== null }, 'a final state was left'],
  'the end of a campaign is not looked at': [
    { endingOf: ({ state }, now) => REAL.endingOf({ state, expires_at: null }, now) },
    'a call was placed after the campaign had expired',
    EXPIRING,
  ],
  'a campaign that has expired goes on until its next minute': [
    {
      endingOf: ({ state, expires_at }, now) =>
        REAL.endingOf({ state, expires_at: expires_at && new Date(expires_at.getTime() + 60_000) }, now),
    },
    'a call was placed after the campaign had expired',
    EXPIRING,
  ],
  'whoever waits is left when a campaign ends': [
    { endsWaiting: false },
    'somebody waits for a campaign that has ended',
    EXPIRING,
  ],
  'calls of the same turn do not count for one another': [
    { decide: (at, facts, rules) => facts.flatMap((one) => REAL.decide(at, [one], rules)) },
    'calls too soon one after another',
    TWICE,
  ],
  'calls to the same number count for each recipient alone': [
    {
      decide: (at, facts, rules) =>
        REAL.decide(
          at,
          facts.map((one) => ({ ...one, calls: [] })),
          rules,
        ),
    },
    'calls too soon one after another',
    TWICE,
  ],
  'calls in progress are not counted': [
    { roomFor: (pacing, situation) => REAL.roomFor(pacing, { ...situation, open: 0 }) },
    'more calls at the same time than the campaign allows',
    TWO_PEOPLE,
  ],
  'the budget is not looked at': [
    { roomFor: (pacing, situation) => REAL.roomFor(pacing, { ...situation, affordable: null }) },
    'more calls than the budget is good for',
    TWO_PEOPLE,
  ],
  'the decision about one person is used for another': [
    { decide: (at, facts, rules) => REAL.decide(at, facts, rules).toReversed() },
    'somebody was called who had asked not to be',
    'two people, called at the same time',
  ],
};
