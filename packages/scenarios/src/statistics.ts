/** Standard deviations on each side of a 95 % interval. */
const Z = 1.959963984540054;

/** Bounds of a rate, between 0 and 1. */
export interface Interval {
  low: number;
  high: number;
}

/** The Wilson score interval of a rate, at 95 %. Without runs it is everything. */
export function wilson(passed: number, runs: number): Interval {
  if (runs === 0) return { low: 0, high: 1 };
  const rate = passed / runs;
  const spread = 1 + Z ** 2 / runs;
  const middle = (rate + Z ** 2 / (2 * runs)) / spread;
  const half = (Z / spread) * Math.sqrt((rate * (1 - rate)) / runs + Z ** 2 / (4 * runs ** 2));
  // At the ends rounding would leave out the rate itself.
  return { low: passed === 0 ? 0 : middle - half, high: passed === runs ? 1 : middle + half };
}

/** Counts of a scenario's runs; invalid ones say nothing. */
export interface Counts {
  passed: number;
  failed: number;
}

export type Verdict = 'passed' | 'flaky' | 'regressed' | 'unknown';

/**
 * The verdict on a scenario's runs: regressed when a critical one fails, or when their interval lies below that of the
 * base, or without a base when none passes; flaky when any other fails.
 */
export function verdictOf(runs: Counts, base: Counts | null, critical: boolean): Verdict {
  const { passed, failed } = runs;
  if (passed + failed === 0) return 'unknown';
  if (failed === 0) return 'passed';
  if (critical) return 'regressed';
  if (!base || base.passed + base.failed === 0) return passed === 0 ? 'regressed' : 'flaky';
  const before = wilson(base.passed, base.passed + base.failed);
  return wilson(passed, passed + failed).high < before.low ? 'regressed' : 'flaky';
}
