import { RE2JS } from 're2js';
import type { Said } from './schema.ts';

/** Whether a value has everything that is expected of it: objects may have more fields, lists must be as long. */
export function includes(value: unknown, expected: unknown): boolean {
  if (typeof expected !== 'object' || expected === null) return Object.is(value, expected);
  if (typeof value !== 'object' || value === null || Array.isArray(value) !== Array.isArray(expected)) return false;
  if (Array.isArray(expected) && expected.length !== (value as unknown[]).length) return false;
  return Object.entries(expected).every(
    ([name, inner]) => Object.hasOwn(value, name) && includes((value as Record<string, unknown>)[name], inner),
  );
}

/** Whether words are said in a text: as they stand, whatever their case, or as a pattern. */
export function says(text: string, said: Said): boolean {
  if (typeof said !== 'string') return compilePattern(said.pattern).matcher(text).find();
  return plain(text).includes(plain(said));
}

/** A pattern of a scenario, whose search takes linear time, whoever has written it. Throws if it is none. */
export function compilePattern(pattern: string): RE2JS {
  return RE2JS.compile(pattern, RE2JS.CASE_INSENSITIVE);
}

/** Without differences that nobody hears: case, kinds of apostrophes and quotes, spaces. */
function plain(text: string): string {
  return text
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll(/[‘’]/g, "'")
    .replaceAll(/[“”]/g, '"')
    .replaceAll(/\s+/g, ' ')
    .trim();
}
