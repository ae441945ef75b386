import type { FieldProblem } from '../../lib/invalid.ts';
import { minutes } from './groups.ts';
import { isCountry, isRegion } from './prefixes.ts';
import type { Rules } from './schema.ts';

type Listed = 'windows' | 'holidays' | 'max_attempts' | 'requires_consent';
const LISTS: Listed[] = ['windows', 'holidays', 'max_attempts', 'requires_consent'];

/** Mistakes in rules whose schema is right: unknown places, windows that never open, contradictions. */
export function problemsOf(rules: Rules): FieldProblem[] {
  return [...places(rules), ...windowProblems(rules), ...dates(rules), ...limitProblems(rules), ...twice(rules)];
}

const problem = (field: (string | number)[], msg: string, input: unknown): FieldProblem => ({
  field,
  msg,
  type: 'value_error',
  input,
});

function places(rules: Rules): FieldProblem[] {
  return LISTS.flatMap((list) =>
    (rules[list] ?? []).flatMap(({ country, region }: { country?: string; region?: string }, index) => {
      if (country === undefined)
        return region === undefined ? [] : problem([list, index, 'country'], 'A region needs its country', null);
      if (!isCountry(country)) return problem([list, index, 'country'], 'Input should be a country', country);
      if (region === undefined || isRegion(`${country}-${region}`)) return [];
      return problem([list, index, 'region'], 'Input should be a region of the country', region);
    }),
  );
}

function windowProblems({ windows = [] }: Rules): FieldProblem[] {
  return windows.flatMap(({ from, to }, index) =>
    minutes(from) < minutes(to)
      ? []
      : problem(['windows', index, 'to'], `The window never opens: its end should be after ${from}`, to),
  );
}

/** In a leap year, of which the 29th of February is a day. */
function dates({ holidays = [] }: Rules): FieldProblem[] {
  return holidays.flatMap(({ date }, index) => {
    const whole = date.length === 5 ? `2024-${date}` : date;
    const isDate = new Date(`${whole}T00:00:00Z`).toISOString().startsWith(whole);
    return isDate ? [] : problem(['holidays', index, 'date'], 'Input should be a day of the calendar', date);
  });
}

const scopeOf = ({ country, region, purposes }: { country?: string; region?: string; purposes?: string[] }) =>
  JSON.stringify([country, region, purposes?.toSorted()]);

/** A limit for a longer period that is below the one for a shorter: the latter could never be used. */
function limitProblems({ max_attempts = [] }: Rules): FieldProblem[] {
  return max_attempts.flatMap((limit, index) => {
    const longer = max_attempts.find(
      (one) => scopeOf(one) === scopeOf(limit) && one.days > limit.days && one.count < limit.count,
    );
    if (!longer) return [];
    const msg = `The policy contradicts itself: it allows ${longer.count} within ${longer.days} days`;
    return problem(['max_attempts', index, 'count'], msg, limit.count);
  });
}

/** Two limits, or two rules on consent, for the same. */
function twice({ max_attempts = [], requires_consent = [] }: Rules): FieldProblem[] {
  const keys = {
    max_attempts: max_attempts.map((one) => `${scopeOf(one)} ${one.days}`),
    requires_consent: requires_consent.map((one) => `${scopeOf(one)} ${one.purpose}`),
  };
  return Object.entries(keys).flatMap(([list, all]) =>
    all.flatMap((key, index) =>
      all.indexOf(key) === index ? [] : problem([list, index], 'There is a rule for the same already', key),
    ),
  );
}
