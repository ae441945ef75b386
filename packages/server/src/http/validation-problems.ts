import type { TProperties } from 'typebox';
import type { TLocalizedValidationError } from 'typebox/error';
import { decimalProblem } from '../lib/decimal.ts';
import type { Problem } from '../lib/invalid.ts';
import { isObject, type JsonObject } from '../lib/json.ts';

const MAX_ECHO = 1000;

const TYPES: Record<string, { type: string; msg: string }> = {
  string: { type: 'string_type', msg: 'Input should be a valid string' },
  boolean: { type: 'bool_type', msg: 'Input should be a valid boolean' },
  object: { type: 'dict_type', msg: 'Input should be a valid object' },
  array: { type: 'list_type', msg: 'Input should be a valid array' },
  integer: { type: 'int_type', msg: 'Input should be a valid integer' },
  number: { type: 'float_type', msg: 'Input should be a valid number' },
};

const FORMATS: Record<string, { type: string; msg: string }> = {
  phone_number: {
    type: 'string_pattern_mismatch',
    msg: 'Input should be a phone number in E.164 form, for example +15005550100',
  },
  called_number: {
    type: 'string_pattern_mismatch',
    msg: 'Input should be a phone number in E.164 form, with or without its plus sign',
  },
  'date-time': { type: 'datetime_parsing', msg: 'Input should be a date-time with an offset (ISO 8601)' },
  date: { type: 'date_parsing', msg: 'Input should be a date, YYYY-MM-DD' },
  callback_url: { type: 'url_parsing', msg: 'Input should be an http or https URL without credentials' },
};

/** The type and the message of a bound, around its limit. */
const BOUNDS = {
  minLength: ['string_too_short', 'String should have at least', ' characters'],
  maxLength: ['string_too_long', 'String should have at most', ' characters'],
  minItems: ['too_short', 'List should have at least', ' items'],
  maxItems: ['too_long', 'List should have at most', ' items'],
  minProperties: ['too_short', 'Object should have at least', ' of its fields'],
  maxProperties: ['too_long', 'Object should have at most', ' fields'],
  minimum: ['greater_than_equal', 'Input should be greater than or equal to'],
  maximum: ['less_than_equal', 'Input should be less than or equal to'],
} as const;

/** Translates validator errors into the specification's validation errors. */
export function toProblem(
  error: TLocalizedValidationError,
  properties: TProperties,
  value: unknown,
  place: string,
): Problem[] {
  const { path, input } = locate(error.instancePath, value);
  const at = (type: string, msg: string, extra: Partial<Problem> = {}): Problem[] => [
    { loc: [place, ...path], msg, type, ...echo(input), ...extra },
  ];
  switch (error.keyword) {
    case 'required':
      return error.params.requiredProperties.map((name) => ({
        loc: [place, ...path, name],
        msg: 'Field required',
        type: 'missing',
      }));
    case 'boolean':
      return [{ loc: [place, ...path], msg: 'Extra inputs are not permitted', type: 'extra_forbidden' }];
    case 'additionalProperties':
      // Repeats fields that are reported one by one, and is missing beyond the maximum number of errors.
      return [];
    case 'type':
      return wrongType(error.params.type, properties[path[0] ?? ''], input, at);
    case 'enum':
      return at('enum', `Input should be ${oneOfThese(error.params.allowedValues.filter((one) => one !== null))}`);
    case 'minLength':
    case 'maxLength':
    case 'minItems':
    case 'maxItems':
    case 'minProperties':
    case 'maxProperties':
    case 'minimum':
    case 'maximum': {
      const [type, msg, unit = ''] = BOUNDS[error.keyword];
      return at(type, `${msg} ${error.params.limit}${unit}`);
    }
    case 'pattern':
      return at('string_pattern_mismatch', patternMessage(String(error.params.pattern)));
    case 'format': {
      const known = FORMATS[error.params.format] ?? decimalProblem(String(input));
      return at(known?.type ?? 'value_error', known?.msg ?? error.message);
    }
    default:
      return at('value_error', error.message);
  }
}

const alternatives = new Intl.ListFormat('en', { type: 'disjunction' });

/** Joins values for a sentence: `daily, weekly, or monthly`. */
function oneOfThese(values: readonly unknown[]): string {
  return alternatives.format(values.map(String));
}

/** A pattern that only lists words is shown as that list. */
function patternMessage(pattern: string): string {
  const words = /^\^\(([\w|]+)\)\$$/.exec(pattern)?.[1]?.split('|');
  return words ? `Input should be ${oneOfThese(words)}` : `String should match pattern '${pattern}'`;
}

/** Follows a JSON pointer (RFC 6901): returns the path and the value there. */
function locate(pointer: string, value: unknown): { path: (string | number)[]; input: unknown } {
  const path: (string | number)[] = [];
  let input = value;
  for (const part of pointer.split('/').slice(1).map(unescapePointer)) {
    path.push(Array.isArray(input) ? Number(part) : part);
    input = (input as JsonObject | undefined | null)?.[part];
  }
  return { path, input };
}

function wrongType(
  expected: string | string[],
  schema: unknown,
  input: unknown,
  at: (type: string, msg: string) => Problem[],
): Problem[] {
  if (input === undefined) return at('missing', 'Field required');
  if (isObject(schema) && 'enum' in schema) return []; // Told as what it is not one of.
  if (isObject(schema) && schema.format === 'decimal') {
    if (typeof input === 'number') return at('finite_number', 'Input should be a finite number');
    return at('decimal_type', 'Input should be a number or a numeric string');
  }
  const [first = '', ...others] = [expected].flat().filter((one) => one !== 'null');
  if (others.length > 0) return at('value_error', `Input should be a ${[first, ...others].join(' or ')}`);
  const known = TYPES[first];
  return at(known?.type ?? 'value_error', known?.msg ?? `Input should be ${first}`);
}

// Large input is not echoed; objects might be nested too deeply to be serialized.
function echo(input: unknown): { input?: unknown } {
  if (input === null || typeof input === 'boolean' || typeof input === 'number') return { input };
  return typeof input === 'string' && input.length <= MAX_ECHO ? { input } : {};
}

function unescapePointer(part: string): string {
  return part.replaceAll('~1', '/').replaceAll('~0', '~');
}
