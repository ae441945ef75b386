import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Rules } from '../../src/calling/policies/policies.ts';
import { BEGIN, type Functions, nexts, REAL, RULES, type World, wrongWith } from '../support/campaign-model.ts';

/** Tries every order; returns the first thing that goes wrong, and the number of worlds. */
function explore(real: Functions): { wrong: string | null; worlds: number; ends: Set<string> } {
  const seen = new Set([JSON.stringify(BEGIN)]);
  const ends = new Set<string>();
  for (let worlds = [BEGIN]; worlds.length > 0; ) {
    const found: World[] = [];
    for (const world of worlds)
      for (const next of nexts(world, real)) {
        // Before it is looked up: a state that is reached rightly from one world may not follow from another.
        const wrong = wrongWith(next, world);
        if (wrong) return { wrong, worlds: seen.size, ends };
        const key = JSON.stringify(next);
        if (seen.has(key)) continue;
        seen.add(key);
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
  assert.ok(worlds > 10_000, `${worlds} worlds`);
  const all = ['canceled', 'deferred', 'dialling', 'exhausted', 'reached', 'refused', 'suppressed', 'waiting'];
  assert.deepEqual([...ends].sort(), all);
});

/** The rules without one of them. */
const without = (rule: keyof Rules): Partial<Functions> => {
  const { [rule]: _, ...others } = RULES;
  return { decide: (at, facts) => REAL.decide(at, facts, others) };
};

const MUTATIONS: Record<string, [Partial<Functions>, string]> = {
  'a process dials what another one has placed': [{ takesOver: true }, 'an attempt was dialled twice'],
  'suppressions are not looked at': [
    { decide: (at, facts) => REAL.decide(at, { ...facts, isSuppressed: false }) },
    'somebody was called who had asked not to be',
  ],
  'revoked consents are not looked at': [
    { decide: (at, facts) => REAL.decide(at, { ...facts, isRevoked: false }) },
    'somebody was called without a consent',
  ],
  'consents are not asked for': [without('requires_consent'), 'somebody was called without a consent'],
  'the hours are not looked at': [without('windows'), 'a call outside of the hours'],
  'holidays are not looked at': [without('holidays'), 'a call outside of the hours'],
  'the time between calls is not looked at': [without('min_gap_s'), 'calls too soon one after another'],
  'attempts of a period are not looked at': [without('max_attempts'), 'more calls than the policy allows'],
  'suppressions are not looked at again for a late phone': [
    { decideAgain: (at, facts) => REAL.decide(at, { ...facts, isSuppressed: false }) },
    'a phone was dialled long after its owner had asked not to be called',
  ],
  'late phones are dialled as they were decided': [
    { isLate: () => false },
    'a phone was dialled long after its owner had asked not to be called',
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
};

for (const [name, [mutation, wrong]] of Object.entries(MUTATIONS))
  test(`the explorer finds: ${name}`, () => {
    assert.equal(explore({ ...REAL, ...mutation }).wrong, wrong);
  });
