import { hash } from 'node:crypto';
import { shownHeaders } from '@switchboard/client/functions';
import { isObject } from '../../lib/json.ts';

/** Longest value, as JSON, that an entry contains; longer ones are replaced by their size and SHA-256. */
export const MAX_VALUE = 512;
/** Fields of an entry's `before` and `after`. */
export const MAX_FIELDS = 20;
/** Objects are compared field by field down to this depth. */
const MAX_DEPTH = 8;

type Fields = Record<string, unknown>;
type Pair = [path: string, before: unknown, after: unknown];

/**
 * The fields that differ, by their path (`config.llm.model`), as JSON texts; null for a side without any. Bounded, so
 * that changing large configurations cannot fill the log; without the credentials in headers. Null stands for a
 * resource that does not exist.
 */
export function changesOf(
  before: Fields | null,
  after: Fields | null,
): { before: string | null; after: string | null } {
  const pairs = [...differences('', before ?? {}, after ?? {}, 0)];
  const shown = pairs.slice(0, MAX_FIELDS);
  const side = (isPresent: boolean, at: 1 | 2): string | null => {
    if (!isPresent) return null;
    const fields = Object.fromEntries(shown.flatMap((pair) => (pair[at] === undefined ? [] : [[pair[0], pair[at]]])));
    return JSON.stringify(pairs.length > shown.length ? { ...fields, '…': `${pairs.length} fields` } : fields);
  };
  return { before: side(before !== null, 1), after: side(after !== null, 2) };
}

function* differences(path: string, before: unknown, after: unknown, depth: number): Generator<Pair> {
  if (depth < MAX_DEPTH && isPlain(before) && isPlain(after)) {
    for (const name of new Set([...Object.keys(before), ...Object.keys(after)]))
      yield* differences(path === '' ? name : `${path}.${name}`, before[name], after[name], depth + 1);
    return;
  }
  if (JSON.stringify(before) !== JSON.stringify(after)) yield [path.slice(0, MAX_VALUE), short(before), short(after)];
}

function isPlain(value: unknown): value is Fields {
  return isObject(value) && !(value instanceof Date);
}

function short(value: unknown): unknown {
  const text = JSON.stringify(value, withoutSecrets);
  if (text === undefined || text.length <= MAX_VALUE) return text && JSON.parse(text);
  return { bytes: Buffer.byteLength(text), sha256: hash('sha256', text, 'hex') };
}

/** Credentials in headers of functions are no part of an entry: it is kept for longer than they are valid. */
function withoutSecrets(name: string, value: unknown): unknown {
  const isHeaders =
    name === 'headers' && isPlain(value) && Object.values(value).every((one) => typeof one === 'string');
  if (!isHeaders) return value;
  return Object.fromEntries(shownHeaders(value as Record<string, string>).map((one) => [one.name, one.value]));
}
