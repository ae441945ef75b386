import assert from 'node:assert/strict';
import { test } from 'node:test';
import { explore, SCOPES } from '../support/campaign-explorer.ts';
import { REAL } from '../support/campaign-model.ts';
import { MUTATIONS } from '../support/campaign-mutations.ts';

const ends = new Set<string>();

for (const [name, scope] of Object.entries(SCOPES))
  test(`in no order of turns, kills, opt-outs and pauses is anything wrong: ${name}`, () => {
    const explored = explore(scope, REAL);
    assert.equal(explored.wrong, null);
    assert.ok(explored.worlds > 2_000, `${explored.worlds} worlds`);
    for (const state of explored.ends) ends.add(state);
  });

test('the explorer has seen each state in which a recipient can be left', () => {
  const all = [
    'canceled',
    'deferred',
    'dialling',
    'exhausted',
    'expired',
    'reached',
    'refused',
    'suppressed',
    'waiting',
  ];
  assert.deepEqual([...ends].sort(), all);
});

for (const [name, [mutation, wrong, scope = 'one person']] of Object.entries(MUTATIONS))
  test(`the explorer finds: ${name}`, () => {
    assert.equal(explore(SCOPES[scope], { ...REAL, ...mutation }).wrong, wrong);
  });
