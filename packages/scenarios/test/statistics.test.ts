import assert from 'node:assert/strict';
import { test } from 'node:test';
import { verdictOf, wilson } from '../src/statistics.ts';

test('the Wilson interval has the published values', () => {
  // Newcombe (1998), "Two-sided confidence intervals for the single proportion", table I, method 3.
  for (const [passed, runs, low, high] of [
    [81, 263, 0.2553, 0.3662],
    [15, 148, 0.0624, 0.1605],
    [0, 20, 0, 0.1611],
    [1, 29, 0.0061, 0.1718],
  ] as const) {
    const found = wilson(passed, runs);
    assert.deepEqual([found.low.toFixed(4), found.high.toFixed(4)], [low.toFixed(4), high.toFixed(4)]);
  }
  assert.deepEqual(wilson(0, 0), { low: 0, high: 1 });
  assert.equal(wilson(20, 20).high, 1);
});

test('a scenario has regressed when the intervals separate, when it is critical, or without a base when it never passes', () => {
  const always = { passed: 20, failed: 0 };
  assert.equal(verdictOf(always, always, false), 'passed');
  assert.equal(verdictOf({ passed: 19, failed: 1 }, always, false), 'flaky');
  assert.equal(verdictOf({ passed: 19, failed: 1 }, always, true), 'regressed');
  assert.equal(verdictOf({ passed: 8, failed: 12 }, always, false), 'regressed');
  assert.equal(verdictOf({ passed: 8, failed: 12 }, { passed: 9, failed: 11 }, false), 'flaky');
  assert.equal(verdictOf({ passed: 8, failed: 12 }, null, false), 'flaky');
  assert.equal(verdictOf({ passed: 0, failed: 3 }, null, false), 'regressed');
  // A run of each tells nothing apart, four of each do.
  assert.equal(verdictOf({ passed: 0, failed: 1 }, { passed: 1, failed: 0 }, false), 'flaky');
  assert.equal(verdictOf({ passed: 0, failed: 1 }, { passed: 1, failed: 0 }, true), 'regressed');
  assert.equal(verdictOf({ passed: 0, failed: 4 }, { passed: 4, failed: 0 }, false), 'regressed');
  assert.equal(verdictOf({ passed: 0, failed: 9 }, { passed: 0, failed: 9 }, false), 'flaky');
  assert.equal(verdictOf({ passed: 0, failed: 0 }, null, true), 'unknown');
});
