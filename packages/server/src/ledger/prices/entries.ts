import type { Static } from 'typebox';
import type { FieldProblem } from '../../lib/invalid.ts';
import { isObject } from '../../lib/json.ts';
import type { PriceEntry } from './schema.ts';

/** A price to record. */
export type NewPrice = Static<typeof PriceEntry>;

/** Usage measured by the duration of a line, which is billed in increments. */
const LINE = ['telephony_minutes', 'media_minutes'];

/** The key and date of a price; the book has one current version of each. */
function keyOf({ provider, event_type, model, prefix, direction, valid_from }: NewPrice): string {
  return JSON.stringify([provider, event_type, model ?? '', prefix ?? '', direction ?? '', valid_from]);
}

/** Problems of entries, well-formed or not, that their schema cannot express. */
export function entryProblems(body: unknown): FieldProblem[] {
  const entries = isObject(body) && Array.isArray(body.entries) ? body.entries : [];
  const first = new Map<string, number>();
  return entries.flatMap((entry, index) => {
    if (!isObject(entry)) return [];
    const problems = problemsOf(entry as Partial<NewPrice>).map(({ field, ...problem }) => ({
      ...problem,
      field: ['entries', index, ...[field].flat()],
    }));
    const key = keyOf(entry as NewPrice);
    const same = first.get(key);
    if (same === undefined) first.set(key, index);
    else {
      const msg = `Input should not repeat the key and date of entry ${same + 1}`;
      problems.push({ field: ['entries', index, 'valid_from'], msg, type: 'value_error' });
    }
    return problems;
  });
}

function problemsOf(entry: Partial<NewPrice>): FieldProblem[] {
  const { event_type, model, prefix, price, billing_increment } = entry;
  const problem = (field: string, msg: string, type = 'value_error') => ({ field, msg, type });
  return [
    ...withdrawalProblems(entry).map(([field, msg, type]) => problem(field, msg, type)),
    ...(typeof price === 'string' && /^-.*[1-9]/.test(price)
      ? [problem('price', 'Input should be greater than or equal to 0', 'greater_than_equal')]
      : []),
    ...(prefix && event_type !== 'telephony_minutes'
      ? [problem('prefix', 'Only telephony_minutes have a prefix')]
      : []),
    ...(prefix && model ? [problem('model', 'A price has a model or a prefix, not both')] : []),
    ...(billing_increment && !LINE.includes(event_type ?? '')
      ? [problem('billing_increment', `Only ${LINE.join(' and ')} have a billing increment`)]
      : []),
  ];
}

/** Problems of an entry whose price is withdrawn or missing. */
function withdrawalProblems({ price, billing_increment, is_withdrawn }: Partial<NewPrice>): [string, string, string][] {
  if (is_withdrawn !== true) return price == null ? [['price', 'Field required', 'missing']] : [];
  return [
    ...(price == null ? [] : [['price', 'A price that is withdrawn has no amount', 'value_error'] as const]),
    ...(billing_increment
      ? [['billing_increment', 'A price that is withdrawn has no billing increment', 'value_error'] as const]
      : []),
  ].map(([field, msg, type]) => [field, msg, type]);
}
