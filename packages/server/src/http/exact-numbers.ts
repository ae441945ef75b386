import type { FastifyRequest } from 'fastify';
import type { Problem } from '../lib/invalid.ts';
import { isObject, type JsonObject } from '../lib/json.ts';

type Path = (string | number)[];

declare module 'fastify' {
  interface FastifyRequest {
    /** The problems of numbers in free-form objects of the body that would lose digits; null: none. */
    lossyNumbers: Problem[] | null;
  }
}

const NUMBER = /^-?(\d+)(?:\.(\d*))?(?:[eE]([+-]?\d+))?$/;
/** Digits that identify every double: some programs write all of them. */
const DOUBLE_DIGITS = 17;
const MAX_REPORTED = 100;
const LOSSY = Symbol('a number that would lose digits');

/** Notes numbers that would lose digits. `text` is valid JSON; only what may hold any value is searched. */
export function noteLossyNumbers(request: FastifyRequest, text: string): void {
  const { properties = {} } = (request.routeOptions.schema?.body ?? {}) as { properties?: Record<string, unknown> };
  const fields = Object.keys(properties).filter((name) => isFreeForm(properties[name]));
  if (fields.length === 0) return;
  // The type library does not know the third argument of a reviver yet.
  const mark = (_key: string, value: unknown, { source = '' }: { source?: string } = {}) =>
    typeof value === 'number' && !isKept(source, value) ? LOSSY : value;
  const marked = JSON.parse(text, mark);
  const found = isObject(marked) ? fields.flatMap((name) => placesIn(marked[name], [name])) : [];
  request.lossyNumbers = found.slice(0, MAX_REPORTED).map((path) => ({
    loc: ['body', ...path],
    msg: 'Input should be a number that a double can hold; send it as a string to keep all its digits',
    type: 'number_precision',
  }));
}

/** Whether a field holds an object of any fields. */
function isFreeForm(schema: unknown): boolean {
  if (!isObject(schema) || 'properties' in schema) return false;
  const { type, anyOf } = schema;
  if (Array.isArray(anyOf)) return anyOf.some(isFreeForm);
  return [type].flat().includes('object');
}

function placesIn(value: unknown, path: Path): Path[] {
  if (value === LOSSY) return path.length > 1 ? [path] : [];
  if (Array.isArray(value)) return value.flatMap((item, index) => placesIn(item, [...path, index]));
  if (!isObject(value)) return [];
  return Object.keys(value).flatMap((key) => placesIn((value as JsonObject)[key], [...path, key]));
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
