/** The shape of a JSON text, found without building its value. */
export interface Scan {
  /** Where the first token begins that JSON does not allow there; null when there is none. */
  mistake: number | null;
  /** The limit that is exceeded; what follows that place has not been read. */
  exceeded: keyof Limits | null;
  /**
   * Where the number literals begin and end that are values of the fields that were asked for, in objects at any depth.
   */
  numbers: [from: number, to: number][];
}

interface Limits {
  /** Depth of nested objects and lists. */
  depth: number;
  /** Fields of all objects together. */
  fields: number;
  /** Objects, lists, and what is in them. */
  values: number;
}

type Expected = 'value' | 'value or end' | 'key' | 'key or end' | 'colon' | 'comma or end' | 'nothing';

const SCALAR = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/y;
const ESCAPE = /\\(?:["\\/bfnrt]|u[\da-fA-F]{4})/y;

/**
 * Reads the text once, in time that grows with its length alone, and with no recursion that deep text could exhaust.
 */
export function scanJson(text: string, limits: Limits, wanted: readonly string[]): Scan {
  const numbers: Scan['numbers'] = [];
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
      if (++fields > limits.fields) return { mistake: null, exceeded: 'fields', numbers };
      expected = 'colon';
    } else if (!expected.startsWith('value')) {
      return { mistake: at, exceeded: null, numbers };
    } else if (++values > limits.values) {
      return { mistake: null, exceeded: 'values', numbers };
    } else if (token === '{' || token === '[') {
      if (open.push(token) > limits.depth) return { mistake: null, exceeded: 'depth', numbers };
      expected = token === '{' ? 'key or end' : 'value or end';
      isWanted = false;
    } else {
      end = token === '"' ? endOfString(text, at) : skip(SCALAR, text, at);
      if (isWanted && (token === '-' || (token >= '0' && token <= '9'))) numbers.push([at, end]);
      isWanted = false;
      expected = open.length > 0 ? 'comma or end' : 'nothing';
    }
    if (end === at) return { mistake: at, exceeded: null, numbers };
  }
  return { mistake: expected === 'nothing' ? null : text.length, exceeded: null, numbers };
}

function afterSpace(text: string, from: number): number {
  for (let at = from; ; at += 1) {
    const code = text.charCodeAt(at);
    if (code !== 0x20 && code !== 0x0a && code !== 0x0d && code !== 0x09) return at;
  }
}

/** Where what the sticky pattern matches at `at` ends; `at` when it matches nothing. */
function skip(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : at;
}

/** Where the string that begins at `at` ends; `at` when it is none. */
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

// A key may be written with escapes of six characters each. None of the fields is longer than a key of this many can
// be.
const MAX_KEY = 200;

function isOneOf(fields: readonly string[], key: string): boolean {
  if (key.length > MAX_KEY) return false;
  return fields.includes(key.includes('\\') ? JSON.parse(key) : key.slice(1, -1));
}
