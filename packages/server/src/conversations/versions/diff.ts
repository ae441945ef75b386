import { structuredPatch } from 'diff';
import { isObject } from '../../lib/json.ts';
import { type Operation, patchOf } from './json-patch.ts';

/** Strings of at least this many characters, or of several lines, get a diff by lines. */
const LONG = 80;
/** Unchanged lines around each change. */
const CONTEXT = 3;
/** Time for the texts of one diff, in which no other request is answered: the rest is shown as replaced. */
const BUDGET_MS = 25;

/** The changes of a long text. */
interface TextDiff {
  path: string;
  diff: string;
}

/** The changes from one value to another: as a JSON Patch, and by lines for each long text that both have. */
export function diffOf(before: object, after: object): { patch: Operation[]; texts: TextDiff[] } {
  const patch = patchOf(before, after);
  const until = performance.now() + BUDGET_MS;
  const texts = patch.flatMap(({ op, path, ...rest }) => {
    const [old, now] = [read(before, path), 'value' in rest ? rest.value : undefined];
    if (op !== 'replace' || typeof old !== 'string' || typeof now !== 'string') return [];
    return isLong(old) || isLong(now) ? [{ path, diff: linesOf(old, now, until) }] : [];
  });
  return { patch, texts };
}

const isLong = (text: string) => text.length >= LONG || text.includes('\n');

function linesOf(before: string, after: string, until: number): string {
  const timeout = Math.max(1, until - performance.now());
  const found = structuredPatch('', '', before, after, '', '', { context: CONTEXT, timeout });
  return found ? found.hunks.map(textOf).join('\n') : replaced(before, after);
}

/** A hunk in the unified format. */
interface Hunk {
  oldStart: number;
  oldLines: number;
  newStart: number;
  newLines: number;
  lines: string[];
}

function textOf({ oldStart, oldLines, newStart, newLines, lines }: Hunk): string {
  return [`@@ -${oldStart},${oldLines} +${newStart},${newLines} @@`, ...lines].join('\n');
}

/** All of one text in place of all of the other. */
function replaced(before: string, after: string): string {
  const [old, now] = [before.split('\n'), after.split('\n')];
  const lines = [...old.map((line) => `-${line}`), ...now.map((line) => `+${line}`)];
  return textOf({ oldStart: 1, oldLines: old.length, newStart: 1, newLines: now.length, lines });
}

/** The value at a JSON Pointer (RFC 6901). */
function read(value: unknown, path: string): unknown {
  const keys = path.split('/').slice(1);
  return keys
    .map((key) => key.replaceAll('~1', '/').replaceAll('~0', '~'))
    .reduce<unknown>(
      (inner, key) => (isObject(inner) || Array.isArray(inner) ? Reflect.get(inner, key) : undefined),
      value,
    );
}
