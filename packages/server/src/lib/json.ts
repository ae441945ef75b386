export type JsonObject = { [key: string]: unknown };

export const MAX_DEPTH = 32;

/** A location in a JSON value that the database cannot store, and why. */
interface Unstorable {
  path: (string | number)[];
  type: string;
  msg: string;
}

/** Beginning of encrypted values, which the service alone writes. */
export const SEALED = '\u0001SBC';

/**
 * Why this text cannot be stored, or null: PostgreSQL's `text` and `jsonb` accept neither NUL nor lone surrogates, and
 * what looks encrypted would be decrypted for whoever reads it, also if it was copied from a backup.
 */
export function textProblem(text: string): { type: string; msg: string } | null {
  if (text.startsWith(SEALED)) return { type: 'string_sealed', msg: 'Input should not begin like an encrypted value' };
  if (text.includes('\0')) return { type: 'string_nul', msg: 'Input should not contain NUL characters' };
  if (!text.isWellFormed()) return { type: 'string_unicode', msg: 'Input should not contain lone surrogates' };
  return null;
}

/**
 * The first location in `value` that cannot be stored unchanged: NUL or a lone surrogate in a string or key, a number
 * beyond a double's range, or more than 32 levels (deep `jsonb` overflows the stack and hangs PGlite).
 */
export function firstUnstorable(value: unknown, depth = 0): Unstorable | null {
  if (typeof value === 'string') {
    const problem = textProblem(value);
    return problem && { path: [], ...problem };
  }
  if (typeof value === 'number' && !Number.isFinite(value)) {
    return { path: [], type: 'finite_number', msg: 'Input should be a finite number' };
  }
  if (typeof value !== 'object' || value === null) return null;
  if (depth >= MAX_DEPTH)
    return { path: [], type: 'too_deep', msg: `Input should be nested at most ${MAX_DEPTH} levels deep` };
  if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) {
      const inner = firstUnstorable(item, depth + 1);
      if (inner) return { ...inner, path: [index, ...inner.path] };
    }
    return null;
  }
  // For an object of thousands of keys, `Object.entries` and `Object.values` take twice as long.
  for (const key of Object.keys(value)) {
    const problem = textProblem(key);
    if (problem) return { path: [], ...problem };
    const inner = firstUnstorable((value as JsonObject)[key], depth + 1);
    if (inner) return { ...inner, path: [key, ...inner.path] };
  }
  return null;
}

/** Whether `value` takes more than this many bytes as JSON, without serializing far larger values. */
export function isLongerThan(value: object, bytes: number): boolean {
  // Each value takes at least one character and a comma.
  return hasMoreThan(value, bytes / 2) || Buffer.byteLength(JSON.stringify(value)) > bytes;
}

function hasMoreThan(value: object, items: number): boolean {
  let left = items;
  const visit = (one: unknown): boolean => {
    left -= 1;
    if (typeof one !== 'object' || one === null) return left < 0;
    if (Array.isArray(one)) return one.length > left || one.some(visit);
    const keys = Object.keys(one);
    return keys.length > left || keys.some((key) => visit((one as JsonObject)[key]));
  };
  return visit(value);
}

/** Applies a JSON Merge Patch (RFC 7386) without changing its arguments. */
export function mergePatch(target: JsonObject, patch: JsonObject): JsonObject {
  const merged = new Map(Object.entries(target));
  for (const [key, value] of Object.entries(patch)) {
    if (value === null) merged.delete(key);
    else if (isObject(value)) {
      const current = merged.get(key);
      merged.set(key, mergePatch(isObject(current) ? current : {}, value));
    } else merged.set(key, value);
  }
  return Object.fromEntries(merged);
}

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
