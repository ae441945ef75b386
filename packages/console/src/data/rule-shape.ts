import type { DialRules } from '@switchboard/client';
import { isObject } from './config-paths.ts';

/** Rules as they are before the service has looked at them: any JSON object. */
export function parseRules(text: string): DialRules | null {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? (value as DialRules) : null;
  } catch {
    return null;
  }
}

export const rulesText = (rules: DialRules) => JSON.stringify(rules, null, 2);

type Test = (value: unknown) => boolean;

const isText: Test = (value) => typeof value === 'string';
const isTextList: Test = (value) => Array.isArray(value) && value.every(isText);
const isNumber: Test = (value) => typeof value === 'number';
const orAbsent =
  (test: Test): Test =>
  (value) =>
    value === undefined || test(value);

const PLACE = { country: orAbsent(isText), region: orAbsent(isText), source: orAbsent(isText) };
const FOR_WHOM = { ...PLACE, purposes: orAbsent(isTextList) };
/** The fields of each list that the form reads. Numbers may be absent, which they are while they are typed. */
const LISTS: Record<string, Record<string, Test>> = {
  windows: { ...FOR_WHOM, days: isTextList, from: isText, to: isText },
  holidays: { ...FOR_WHOM, date: isText, name: orAbsent(isText) },
  max_attempts: { ...FOR_WHOM, count: orAbsent(isNumber), days: orAbsent(isNumber) },
  requires_consent: { ...PLACE, purpose: isText },
};

const NUMBERS = ['min_gap_s', 'max_abandoned_rate', 'abandoned_after_s', 'abandoned_days'] as const;

/** The place of the first value, `windows.0.days`, that the form cannot show; null if it can show all. */
export function notInForm(rules: DialRules): string | null {
  const { unknown_zone = '' } = rules;
  const noNumber = NUMBERS.find((name) => !isNumber(rules[name] ?? 0));
  if (noNumber) return noNumber;
  if (!isText(unknown_zone)) return 'unknown_zone';
  for (const [name, fields] of Object.entries(LISTS)) {
    const list: unknown = rules[name as keyof DialRules];
    if (list === undefined) continue;
    if (!Array.isArray(list)) return name;
    for (const [at, rule] of list.entries()) {
      if (!isObject(rule)) return `${name}.${at}`;
      const wrong = Object.keys(fields).find((field) => !fields[field]?.(rule[field]));
      if (wrong) return `${name}.${at}.${wrong}`;
    }
  }
  return null;
}

/** Whether rules say the same: lists that are empty say nothing. */
export function isSameRules(a: DialRules, b: DialRules): boolean {
  const said = (rules: DialRules) =>
    JSON.stringify(
      Object.entries(rules)
        .filter(([, value]) => value !== null && !(Array.isArray(value) && value.length === 0))
        .sort(([one], [other]) => (one < other ? -1 : 1)),
    );
  return said(a) === said(b);
}
