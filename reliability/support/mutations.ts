import { CONTENT_TYPES, HEADERS, PATHS, QUERIES } from '../corpus/places.ts';
import { VALUES } from '../corpus/values.ts';
import { type Fixture, type Operation, partsOf } from './operations.ts';
import { rawRequest } from './raw.ts';

/** A random integer from 0 to `below` - 1. */
type Random = (below: number) => number;

/** A request of an operation with random changes. */
interface Mutant {
  name: string;
  bytes: Buffer;
  /** The operation whose published responses are the only ones allowed; null if the request may match none. */
  operation: Operation | null;
  /** Its framing may be broken: sent on a separate connection, which is closed afterwards. */
  thenEnd: boolean;
}

/** Most inputs are short, so that many more can be sent. */
const SHORT = 300;
const MAX_CHANGES = 4;
/** One in this many requests has a byte of its head changed, and one in this many some of its body. */
const ONE_IN = 10;

const isShort = (text: string) => text.length < SHORT;
const values = Object.values(VALUES);
const shortValues = values.filter(isShort);
const queries = QUERIES.filter(isShort);
const paths = PATHS.filter(isShort);

/** Numbers from a seed, so that a run can be repeated (mulberry32). */
export function randomFrom(seed: number): Random {
  let state = seed;
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let bits = Math.imul(state ^ (state >>> 15), 1 | state);
    bits ^= bits + Math.imul(bits ^ (bits >>> 7), 61 | bits);
    return ((bits ^ (bits >>> 14)) >>> 0) % below;
  };
}

/** A request while it is changed. */
interface Draft {
  operation: Operation;
  /** The fields as JSON texts, in order; a name may occur twice. */
  fields: [name: string, json: string][];
  target: string;
  headers: [name: string, text: string][];
  /** The request may miss its operation. */
  isElsewhere: boolean;
}

const CHANGES: Record<string, (draft: Draft, random: Random) => void> = {
  'a field has another value': ({ operation, fields }, random) => {
    const name = pick(operation.fields ?? [], random);
    const at = fields.findIndex(([other]) => other === name);
    fields.splice(at < 0 ? fields.length : at, at < 0 ? 0 : 1, [name, anyValue(random)]);
  },
  'a field is missing': ({ fields }, random) => void fields.splice(random(fields.length + 1), 1),
  'a field is there twice': ({ operation, fields }, random) =>
    void fields.push([pick(operation.fields ?? [], random), anyValue(random)]),
  'two fields have the value of one': ({ fields }, random) => {
    const [one, other] = [pick(fields, random), pick(fields, random)];
    if (one && other) one[1] = other[1];
  },
  'an unknown field': ({ fields }, random) =>
    void fields.push([pick(['x', '__proto__', 'constructor', 'user_id', 'id', ''], random), anyValue(random)]),
  'a parameter of the query': (draft, random) => {
    const names = [...draft.operation.query, 'limit', 'cursor', 'unknown'];
    draft.target += `${draft.target.includes('?') ? '&' : '?'}${pick(names, random)}=${pick(queries, random)}`;
  },
  'a part of the path': (draft, random) => {
    const given = draft.target.split('/');
    given[1 + random(given.length - 1)] = pick(paths, random);
    draft.target = given.join('/');
    draft.isElsewhere = true;
  },
  'a header': (draft, random) => {
    setHeader(draft, ...pick(HEADERS, random));
    draft.isElsewhere = true;
  },
  'a content-type': (draft, random) => {
    setHeader(draft, 'content-type', pick(CONTENT_TYPES, random));
    draft.isElsewhere = true;
  },
};

/** One to four changes of a valid request, in any of its parts. */
export function mutate(operation: Operation, fixture: Fixture, random: Random): Mutant {
  const { target, headers, body } = partsOf(operation, fixture);
  const fields = Object.entries(body ?? {}).map(([name, field]): [string, string] => [name, JSON.stringify(field)]);
  const draft: Draft = { operation, fields, target, headers, isElsewhere: false };
  const possible = Object.keys(CHANGES).filter((name) => operation.fields?.length || !/field|content-type/.test(name));
  const made = Array.from({ length: 1 + random(MAX_CHANGES) }, () => pick(possible, random));
  for (const name of made) CHANGES[name]?.(draft, random);
  return toMutant(draft, made, random);
}

/** The request as bytes, of which some may be damaged. `made` are the names of its changes. */
function toMutant({ operation, fields, target, headers, isElsewhere }: Draft, made: string[], random: Random): Mutant {
  const { method, template } = operation;
  const text = `{${fields.map(([name, json]) => `${JSON.stringify(name)}:${json}`)}}`;
  const isDamaged = operation.fields !== null && random(ONE_IN) === 0;
  const body = operation.fields && (isDamaged ? damage(Buffer.from(text), random) : Buffer.from(text));
  const bytes = rawRequest(method, target, headers, body ?? undefined);
  const isBroken = random(ONE_IN) === 0;
  const what = [...made, ...(isDamaged ? ['bytes of the body'] : []), ...(isBroken ? ['bytes of the head'] : [])];
  return {
    name: `${method} ${template}: ${what.join(', ')}`,
    bytes: isBroken ? Buffer.concat(damageHead(bytes, random)) : bytes,
    operation: isElsewhere || isBroken ? null : operation,
    thenEnd: isBroken,
  };
}

/** One of the list; undefined for an empty one, whatever its type says. */
function pick<T>(list: readonly T[], random: Random): T {
  return list[random(list.length)] as T;
}

function anyValue(random: Random): string {
  return random(50) === 0 ? pick(values, random) : pick(shortValues, random);
}

function setHeader(draft: Draft, name: string, text: string): void {
  draft.headers = [...draft.headers.filter(([other]) => other !== name), [name, text]];
}

function damageHead(bytes: Buffer, random: Random): Buffer[] {
  const end = bytes.indexOf('\r\n\r\n');
  return [damage(bytes.subarray(0, end), random), bytes.subarray(end)];
}

/** Some bytes replaced, inserted, removed or repeated, or the rest truncated. */
function damage(bytes: Buffer, random: Random): Buffer {
  const at = random(bytes.length + 1);
  const length = 1 + random(4);
  const some = Buffer.from(Array.from({ length }, () => random(256)));
  const [before, after] = [bytes.subarray(0, at), bytes.subarray(at)];
  const ways = [
    [before, some, after.subarray(length)],
    [before, some, after],
    [before, after.subarray(length)],
    [before, after.subarray(0, length), after],
    [before],
  ];
  return Buffer.concat(ways[random(ways.length)] ?? []);
}
