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

/** One to four changes of a valid request, in any of its parts. */
export function mutate(operation: Operation, fixture: Fixture, random: Random): Mutant {
  const { method, template } = operation;
  const parts = partsOf(operation, fixture);
  const pick = <T>(list: readonly T[]): T => list[random(list.length)] as T;
  const value = () => (random(50) === 0 ? pick(values) : pick(shortValues));
  /** The fields as JSON texts, in order; a name may occur twice. */
  const fields = Object.entries(parts.body ?? {}).map(([name, field]): [string, string] => [
    name,
    JSON.stringify(field),
  ]);
  let { target } = parts;
  let headers = [...parts.headers];
  let isElsewhere = false;

  const changes: Record<string, () => void> = {
    'a field has another value': () => {
      const name = pick(operation.fields ?? []);
      const at = fields.findIndex(([other]) => other === name);
      fields.splice(at < 0 ? fields.length : at, at < 0 ? 0 : 1, [name, value()]);
    },
    'a field is missing': () => void fields.splice(random(fields.length + 1), 1),
    'a field is there twice': () => void fields.push([pick(operation.fields ?? []), value()]),
    'two fields have the value of one': () => {
      const [one, other] = [pick(fields), pick(fields)];
      if (one && other) one[1] = other[1];
    },
    'an unknown field': () => void fields.push([pick(['x', '__proto__', 'constructor', 'user_id', 'id', '']), value()]),
    'a parameter of the query': () => {
      const names = [...operation.query, 'limit', 'cursor', 'unknown'];
      target += `${target.includes('?') ? '&' : '?'}${pick(names)}=${pick(queries)}`;
    },
    'a part of the path': () => {
      const given = target.split('/');
      given[1 + random(given.length - 1)] = pick(paths);
      target = given.join('/');
      isElsewhere = true;
    },
    'a header': () => {
      const [name, text] = pick(HEADERS);
      headers = [...headers.filter(([other]) => other !== name), [name, text]];
      isElsewhere = true;
    },
    'a content-type': () => {
      headers = [...headers.filter(([name]) => name !== 'content-type'), ['content-type', pick(CONTENT_TYPES)]];
      isElsewhere = true;
    },
  };
  const possible = Object.keys(changes).filter((name) => operation.fields?.length || !/field|content-type/.test(name));
  const made = Array.from({ length: 1 + random(MAX_CHANGES) }, () => pick(possible));
  for (const name of made) changes[name]?.();

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
