import { isObject } from '../../lib/json.ts';

/** An operation of a JSON Patch (RFC 6902). */
export type Operation = { op: 'add' | 'replace'; path: string; value: unknown } | { op: 'remove'; path: string };

/**
 * The JSON Patch (RFC 6902) that makes one value of another. Fields are compared one by one, and so are the items of
 * lists between those that are the same at both ends; it takes time in proportion to the values.
 */
export function patchOf(before: unknown, after: unknown, path = ''): Operation[] {
  if (isObject(before) && isObject(after)) return ofObjects(before, after, path);
  if (Array.isArray(before) && Array.isArray(after)) return ofLists(before, after, path);
  return JSON.stringify(before) === JSON.stringify(after) ? [] : [{ op: 'replace', path, value: after }];
}

/** JSON Pointer (RFC 6901). */
const at = (path: string, key: string | number) => `${path}/${String(key).replaceAll('~', '~0').replaceAll('/', '~1')}`;

function ofObjects(before: Record<string, unknown>, after: Record<string, unknown>, path: string): Operation[] {
  const removed = Object.keys(before).filter((key) => !Object.hasOwn(after, key));
  const changes = Object.keys(after).flatMap((key): Operation[] =>
    Object.hasOwn(before, key)
      ? patchOf(before[key], after[key], at(path, key))
      : [{ op: 'add', path: at(path, key), value: after[key] }],
  );
  return [...removed.map((key) => ({ op: 'remove' as const, path: at(path, key) })), ...changes];
}

function ofLists(before: unknown[], after: unknown[], path: string): Operation[] {
  const texts = [before, after].map((list) => list.map((item) => JSON.stringify(item)));
  const [old = [], now = []] = texts;
  const shorter = Math.min(old.length, now.length);
  let start = 0;
  while (start < shorter && old[start] === now[start]) start += 1;
  let end = 0;
  while (end < shorter - start && old[old.length - 1 - end] === now[now.length - 1 - end]) end += 1;
  const [last, lastNow] = [before.length - end, after.length - end];
  const both = Math.min(last, lastNow);
  const operations: Operation[] = [];
  for (let index = start; index < both; index++)
    operations.push(...patchOf(before[index], after[index], at(path, index)));
  for (let index = last - 1; index >= both; index--) operations.push({ op: 'remove', path: at(path, index) });
  for (let index = both; index < lastNow; index++)
    operations.push({ op: 'add', path: at(path, index), value: after[index] });
  return operations;
}
