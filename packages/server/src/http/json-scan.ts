/** The structure of a JSON text, found without building its value. */
export interface Scan {
  /** The offset of the first invalid token; null if the JSON is valid. */
  mistake: number | null;
  /** The limit that is exceeded; the text after that point has not been read. */
  exceeded: keyof Limits | null;
  /** The ranges of the number literals that are values of the requested fields, at any depth. */
  numbers: [from: number, to: number][];
  /** Whether there is a number with more digits, or a larger exponent, than a double holds for certain. */
  hasLongNumber: boolean;
}

interface Limits {
  /** Depth of nested objects and arrays. */
  depth: number;
  /** Fields of all objects together. */
  fields: number;
  /** Objects, arrays, and their items. */
  values: number;
}

type Expected = 'value' | 'value or end' | 'key' | 'key or end' | 'colon' | 'comma or end' | 'nothing';

const SCALAR = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/y;
const ESCAPE = /\\(?:["\\/bfnrt]|u[\da-fA-F]{4})/y;

/** Reads the text once, in linear time and without recursion, which deep nesting could exhaust. */
export function scanJson(text: string, limits: Limits, wanted: readonly string[]): Scan {
  const scan: Scan = { mistake: null, exceeded: null, numbers: [], hasLongNumber: false };
  const open: string[] = [];
  let expected: Expected = 'value';
  let fields = 0;
  let values = 0;
  let isWanted = false;
  let end = 0;
  for (let at = afterSpace(text, 0); at < text.length; at = afterSpace(text, end)) {
    const token = text[at] ?? '';
    const isEnd = token === (open.at(-1) === '{' ? '}' : ']');
    end = at + 1;
    if (isEnd && expected.endsWith('end')) {
      open.pop();
      expected = open.length > 0 ? 'comma or end' : 'nothing';
    } else if (token === ',' && expected === 'comma or end') {
      expected = open.at(-1) === '{' ? 'key' : 'value';
    } else if (token === ':' && expected === 'colon') {
      expected = 'value';
    } else if (token === '"' && expected.startsWith('key')) {
      end = endOfString(text, at);
      isWanted = wanted.length > 0 && isOneOf(wanted, text.slice(at, end));
      if (++fields > limits.fields) return { ...scan, exceeded: 'fields' };
      expected = 'colon';
    } else if (!expected.startsWith('value')) {
      return { ...scan, mistake: at };
    } else if (++values > limits.values) {
      return { ...scan, exceeded: 'values' };
    } else if (token === '{' || token === '[') {
      if (open.push(token) > limits.depth) return { ...scan, exceeded: 'depth' };
      expected = token === '{' ? 'key or end' : 'value or end';
      isWanted = false;
    } else {
      end = token === '"' ? endOfString(text, at) : skip(SCALAR, text, at);
      if (token === '-' || (token >= '0' && token <= '9')) {
        if (isWanted) scan.numbers.push([at, end]);
        if (end - at > SURE_LENGTH && isLong(text, at, end)) scan.hasLongNumber = true;
      }
      isWanted = false;
      expected = open.length > 0 ? 'comma or end' : 'nothing';
    }
    if (end === at) return { ...scan, mistake: at };
  }
  return { ...scan, mistake: expected === 'nothing' ? null : text.length };
}

/** Characters of the longest number that every double holds, and whose exponent has no three digits. */
const SURE_LENGTH = 5;
/** Digits that every double holds. */
const SURE_DIGITS = 15;

function isLong(text: string, from: number, to: number): boolean {
  return to - from > SURE_DIGITS || /e/i.test(text.slice(from, to));
}

function afterSpace(text: string, from: number): number {
  for (let at = from; ; at += 1) {
    const code = text.charCodeAt(at);
    if (code !== 0x20 && code !== 0x0a && code !== 0x0d && code !== 0x09) return at;
  }
}

/** The end of the match of a sticky pattern at `at`; `at` if there is none. */
function skip(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : at;
}

/** The end of the string that begins at `at`; `at` if there is none. */
function endOfString(text: string, at: number): number {
  for (let next = at + 1; next < text.length; ) {
    const code = text.charCodeAt(next);
    if (code === 0x22) return next + 1;
    if (code < 0x20) return at;
    const after = code === 0x5c ? skip(ESCAPE, text, next) : next + 1;
    if (after === next) return at;
    next = after;
  }
  return at;
}

// A key may consist of escapes, six characters each; longer keys cannot be one of the fields.
const MAX_KEY = 200;

function isOneOf(fields: readonly string[], key: string): boolean {
  if (key.length > MAX_KEY) return false;
  return fields.includes(key.includes('\\') ? JSON.parse(key) : key.slice(1, -1));
}
