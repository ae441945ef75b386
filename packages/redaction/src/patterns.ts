/** Patterns of an agent's own, in the syntax of RE2: matching takes time that is linear in the length of the text. */
import { RE2JS } from 're2js';

export interface CustomPattern {
  /** Becomes the placeholder: `[name]`. */
  name: string;
  pattern: string;
}

/** Characters of a pattern. */
export const MAX_PATTERN = 500;
export const PATTERN_NAME = '^[a-z][a-z0-9_]{0,31}$';
/** Instructions of a compiled pattern: what a repetition like `(a{1000}){1000}` would need is refused. */
const MAX_PROGRAM = 2_000;

/** The reason why a pattern cannot be used; null if it can. */
export function patternProblem(pattern: string): string | null {
  if (pattern === '' || pattern.length > MAX_PATTERN) return `it must have 1 to ${MAX_PATTERN} characters`;
  try {
    const compiled = compilePattern(pattern);
    if (compiled.programSize() > MAX_PROGRAM) return 'it repeats too much';
    if (compiled.matcher('').find()) return 'it matches an empty text';
  } catch (error) {
    return explain(error);
  }
  return null;
}

/** Upper and lower case are the same. Throws for a pattern that `patternProblem` refuses for its syntax. */
export function compilePattern(pattern: string): RE2JS {
  return RE2JS.compile(pattern, RE2JS.CASE_INSENSITIVE);
}

function explain(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  return message.replace(/^error parsing regexp: /, '');
}
