import assert from 'node:assert/strict';
import { test } from 'node:test';
import { finderOf, occurrences } from '../support/mutants.ts';
import { RULE_MUTANTS } from '../support/rule-mutants.ts';

test('the tests of rules pass without a change, as they are run here', async () => {
  const all = new Set(Array.from(RULE_MUTANTS.values(), ({ test: file, name }) => JSON.stringify([file, name])));
  for (const [file, name] of Array.from(all, (one) => JSON.parse(one)))
    assert.equal(await finderOf({ file: '', from: '', to: '', test: file, name }), null, file);
});

for (const [name, mutant] of RULE_MUTANTS)
  test(`a test of the pure functions finds: ${name}`, async () => {
    assert.equal(occurrences(mutant), 1, 'its text is in the source once');
    assert.notEqual(await finderOf(mutant), null);
  });
