import { BODIES } from '../corpus/bodies.ts';
import { CONTENT_TYPES, HEADERS, PATHS, QUERIES, WHOLE_QUERIES } from '../corpus/places.ts';
import { EXCHANGES } from '../corpus/protocol.ts';
import { VALUES } from '../corpus/values.ts';
import { type Fixture, type Operation, variantsOf } from './operations.ts';

/** An input, and the expectations about its response. */
export interface Input {
  name: string;
  bytes: Buffer;
  /** The operation whose published responses are the only ones allowed; null if the input may match no operation. */
  operation: Operation | null;
  count: number;
  thenEnd: boolean;
}

const FIELDS = Object.entries(VALUES);
const WHOLE_BODIES = Object.entries(BODIES);

const short = (text: string) => JSON.stringify(text.length > 40 ? `${text.slice(0, 40)}… (${text.length})` : text);

/** Those of a list of the corpus that are sent in one place. */
type Choice = <T>(list: readonly T[]) => T[];

/**
 * Chooses one value in so many of each list: a list is of one kind after the other, so that each place gets values of
 * every kind. The next place begins with the next value, so that so many places get all of them.
 */
export function chooser(oneIn: number, first: number): { choose: Choice; isComplete: () => boolean } {
  const places = new Map<unknown, number>();
  return {
    choose: (list) => {
      const place = places.get(list) ?? 0;
      places.set(list, place + 1);
      return list.filter((_, index) => (index + first + place) % oneIn === 0);
    },
    /** Whether each value of each list has been in some place. */
    isComplete: () => [...places.values()].every((count) => count >= oneIn),
  };
}

/** The chosen inputs of the corpus in every part of this operation, one part at a time. */
export function* inputsOf(operation: Operation, fixture: Fixture, choose: Choice): Generator<Input> {
  const { method, template, fields, query } = operation;
  const send = variantsOf(operation, fixture);
  const input = (what: string, bytes: Buffer, of: Operation | null = operation): Input => ({
    name: `${method} ${template}: ${what}`,
    bytes,
    operation: of,
    count: 1,
    thenEnd: false,
  });
  for (const field of fields ?? [])
    for (const [name, json] of choose(FIELDS)) yield input(`${field} ${name}`, send.withField(field, json));
  if (fields) {
    for (const [name, body] of choose(WHOLE_BODIES)) yield input(`body ${name}`, send.withBody(body));
    for (const type of choose(CONTENT_TYPES))
      yield input(`content-type ${short(type)}`, send.withHeader('content-type', type), null);
  }
  if (template.includes('{'))
    for (const path of choose(PATHS)) yield input(`path ${short(path)}`, send.withPath(path), null);
  for (const name of query)
    for (const value of choose(QUERIES))
      yield input(`query ${name} ${short(value)}`, send.withQuery(`${name}=${value}`));
  for (const text of choose(WHOLE_QUERIES)) yield input(`query ${short(text)}`, send.withQuery(text), null);
  for (const [name, value] of choose(HEADERS))
    yield input(`header ${name} ${short(value)}`, send.withHeader(name, value), null);
}

/** Inputs that are not specific to an operation. */
export function* exchanges(): Generator<Input> {
  for (const { name, bytes, count = 1, thenEnd = false } of EXCHANGES)
    yield { name, bytes: Buffer.from(bytes), operation: null, count, thenEnd };
}
