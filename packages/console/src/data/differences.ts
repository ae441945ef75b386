import type { JsonObject } from '@switchboard/client';
import { diffArrays } from 'diff';
import { isObject, type Path } from './config-paths.ts';
import { fieldAt, isModel, nameAt } from './form-fields.ts';

/** A value that two configurations do not share; `undefined` is none. */
export interface Change {
  path: Path;
  before: unknown;
  after: unknown;
}

/** The values in which two configurations differ, in the order of the newer one. */
export function changesBetween(before: unknown, after: unknown, path: Path = []): Change[] {
  if (Object.is(before, after)) return [];
  const isBoth = (is: (value: unknown) => boolean) => is(before) && is(after);
  if (isBoth(isObject) || isBoth(Array.isArray)) {
    const [old, now] = [entriesOf(before), entriesOf(after)];
    const keys = [...now.keys(), ...[...old.keys()].filter((key) => !now.has(key))];
    const changes = keys.flatMap((key) => changesBetween(old.get(key), now.get(key), [...path, key]));
    return changes.length > 0 && isChoices(path) ? [{ path, before, after }] : changes;
  }
  return [{ path, before, after }];
}

/** Whether choices stand at a place: together they are one value. */
function isChoices(path: Path): boolean {
  const field = fieldAt(path);
  return field !== null && 'kind' in field && field.kind === 'choices';
}

/** The changes of a configuration, each with the name of its field in the form; null for one that it does not have. */
export const namedChanges = (before: JsonObject, after: JsonObject) =>
  changesBetween(before, after)
    .flatMap(byField)
    .map((change) => ({ ...change, name: nameAt(change.path) }));

/** A section or list of the form that is new, or gone, as the fields in it. */
function byField(change: Change): Change[] {
  const { path, before, after } = change;
  const field = fieldAt(path);
  const given = before ?? after;
  const isWhole = (before === undefined || after === undefined) && (isObject(given) || Array.isArray(given));
  // A model in whose place a list stands now, or the other way round, is the first of it.
  const isList = Array.isArray(before) !== Array.isArray(after);
  if (field && 'fields' in field && isModel(field) && isList && isEither(before) && isEither(after))
    return changesBetween([before].flat(), [after].flat(), path).flatMap(byField);
  const isValue = !field || ('kind' in field && field.kind !== 'headers');
  if (isValue || !isWhole) return [change];
  const none = Array.isArray(given) ? [] : {};
  const fields = changesBetween(before ?? none, after ?? none, path);
  return fields.length === 0 ? [change] : fields.flatMap(byField);
}

const isEither = (value: unknown) => isObject(value) || Array.isArray(value);
const entriesOf = (value: unknown): Map<string | number, unknown> =>
  new Map<string | number, unknown>(Array.isArray(value) ? value.entries() : Object.entries(value as object));

/** A line of a text, which only one of two texts has, or both. */
export interface DiffLine {
  kind: 'same' | 'removed' | 'added';
  text: string;
}

/** Time for the comparison, in milliseconds: texts that differ in almost every line are shown one after the other. */
const MAX_TIME_MS = 50;

/** The lines of two texts, with as few changed ones as possible. */
export function diffLines(before: string, after: string): DiffLine[] {
  const [old, now] = [before.split('\n'), after.split('\n')];
  const parts = diffArrays(old, now, { timeout: MAX_TIME_MS }) ?? [
    { value: old, removed: true, added: false },
    { value: now, removed: false, added: true },
  ];
  return parts.flatMap(({ value, added, removed }) => {
    const kind = added ? 'added' : removed ? 'removed' : 'same';
    return value.map((text) => ({ kind, text }) as const);
  });
}

/** The changed lines with some unchanged ones around them; `null` stands for lines that were left out. */
export function withContext(lines: DiffLine[], around = 2): (DiffLine | null)[] {
  const isNear = lines.map((_, at) =>
    lines.slice(Math.max(0, at - around), at + around + 1).some(({ kind }) => kind !== 'same'),
  );
  return lines.flatMap((line, at) => {
    if (isNear[at]) return [line];
    return at === 0 || isNear[at - 1] ? [null] : [];
  });
}
