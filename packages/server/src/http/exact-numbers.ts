import type { FastifyRequest } from 'fastify';
import type { Problem } from '../lib/invalid.ts';
import { isObject } from '../lib/json.ts';

type Path = (string | number)[];

declare module 'fastify' {
  interface FastifyRequest {
    /** The problems of numbers in free-form objects of the body that would lose digits; null: none. */
    lossyNumbers: Problem[] | null;
  }
  interface FastifyContextConfig {
    /** Rounds numbers of free-form objects: reports of workers, which would be lost if they were refused. */
    roundsNumbers?: boolean;
  }
}

const NUMBER = /^-?(\d+)(?:\.(\d*))?(?:[eE]([+-]?\d+))?$/;
/** Digits that identify every double: some programs write all of them. */
const DOUBLE_DIGITS = 17;
/** A number that may have more digits than a double holds for certain, or a larger exponent. */
const LONG = /[\d.]{16}|\d[eE]/;
const MAX_REPORTED = 100;
export const LOSSY_NUMBER =
  'Input should be a number that a double can hold; send it as a string to keep all its digits';
const LOSSY = Symbol('a number that would lose digits');

/** Notes numbers that would lose digits. `text` is valid JSON; only what may hold any value is searched. */
export function noteLossyNumbers(request: FastifyRequest, text: string): void {
  const { config, schema } = request.routeOptions;
  const { properties = {} } = (schema?.body ?? {}) as { properties?: Record<string, unknown> };
  const fields = Object.keys(properties).filter((name) => isFreeForm(properties[name]));
  if (fields.length === 0 || config.roundsNumbers) return;
  request.lossyNumbers = lossyPlaces(text, fields).map((path) => ({
    loc: ['body', ...path],
    msg: LOSSY_NUMBER,
    type: 'number_precision',
  }));
}

/** The places of numbers in valid JSON that would lose digits, up to 100: of all, or of those within these fields. */
export function lossyPlaces(text: string, fields?: string[]): Path[] {
  // A reviver takes several times as long as parsing alone.
  if (!LONG.test(text)) return [];
  // The type library does not know the third argument of a reviver yet.
  const mark = (_key: string, value: unknown, { source = '' }: { source?: string } = {}) =>
    typeof value === 'number' && !isKept(source, value) ? LOSSY : value;
  const marked: unknown = JSON.parse(text, mark);
  const found: Path[] = [];
  if (!fields) addPlaces(marked, [], found);
  else if (isObject(marked))
    for (const field of fields) if (marked[field] !== LOSSY) addPlaces(marked[field], [field], found);
  return found;
}

/** Whether a field holds an object of any fields, or a list of these. */
function isFreeForm(schema: unknown): boolean {
  if (!isObject(schema) || 'properties' in schema) return false;
  const { type, anyOf, items } = schema;
  if (Array.isArray(anyOf)) return anyOf.some(isFreeForm);
  return [type].flat().includes('object') || isFreeForm(items);
}

/** Adds the places in a value. They share one path: copying it at each level would take as long as it is deep. */
function addPlaces(value: unknown, path: Path, found: Path[]): void {
  if (value === LOSSY) found.push([...path]);
  if (typeof value !== 'object' || value === null) return;
  for (const [key, one] of Array.isArray(value) ? value.entries() : Object.entries(value)) {
    if (found.length >= MAX_REPORTED) return;
    path.push(key);
    addPlaces(one, path, found);
    path.pop();
  }
}

/** Whether the literal has the digits of its double. Infinity is validation's. */
function isKept(literal: string, value: number): boolean {
  if (!Number.isFinite(value)) return true;
  const digits = digitsOf(literal);
  return digits === digitsOf(String(value)) || digits === digitsOf(value.toPrecision(DOUBLE_DIGITS));
}

/** Significant digits and exponent, in one canonical form. */
function digitsOf(literal: string): string {
  const [, whole = '', fraction = '', exponent = '0'] = NUMBER.exec(literal) ?? [];
  const digits = `${whole}${fraction}`.replace(/^0+/, '');
  const short = digits.replace(/0+$/, '');
  return short === '' ? '0' : `${short}e${Number(exponent) - fraction.length + digits.length - short.length}`;
}
