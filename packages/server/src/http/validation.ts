import type { FastifyInstance, FastifyRequest, preValidationHookHandler, RouteOptions } from 'fastify';
import { type TProperties, type TSchema, Type } from 'typebox';
import { Compile } from 'typebox/compile';
import { Settings } from 'typebox/system';
import { fromText } from '../lib/from-text.ts';
import { type FieldProblem, InvalidRequest, type Problem } from '../lib/invalid.ts';
import { firstUnstorable, isLongerThan, isObject } from '../lib/json.ts';
import { onLine } from './csv-body.ts';
import { toProblem } from './validation-problems.ts';
import { AnyQuery } from './wire.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Problems of a body, valid or not, that its schema cannot express; reported together with the schema's. */
    bodyProblems?: (body: unknown) => FieldProblem[];
  }
}

export const MAX_OBJECT_BYTES = 256 * 1024;
const MAX_PROBLEMS = 100;
const MAX_UNKNOWN = 20;
Settings.Set({ maxErrors: MAX_PROBLEMS });

const NO_QUERY = Type.Object({}, { additionalProperties: false });

const PARTS = { headers: 'header', querystring: 'query', body: 'body' } as const;
type Part = keyof typeof PARTS;
type Check = (request: FastifyRequest) => Problem[];
type ObjectSchema = TSchema & { properties: TProperties };

/**
 * Validates headers, query and body of every route and rejects with all problems at once. Fastify's own validation
 * stops at the first invalid part, so it is disabled.
 */
export function registerValidation(app: FastifyInstance): void {
  app.setValidatorCompiler(() => () => true);
  app.addHook('onRoute', (route) => {
    // A query parameter that nobody reads is a client's mistake. `AnyQuery` accepts it.
    if (route.url.startsWith('/api/') && route.schema && !route.schema.querystring) route.schema.querystring = NO_QUERY;
    const checks = Object.keys(PARTS).flatMap((part) => compileCheck(route, part as Part) ?? []);
    if (checks.length === 0) return;
    const validate: preValidationHookHandler = (request, _reply, done) => {
      const problems = checks.flatMap((check) => check(request));
      if (problems.length > 0) throw new InvalidRequest(problems);
      done();
    };
    route.preValidation = [validate, ...[route.preValidation ?? []].flat()];
  });
}

function compileCheck(route: RouteOptions, part: Part): Check | undefined {
  const schema = route.schema?.[part] as ObjectSchema | undefined;
  // Raw bodies are parsed and rejected by the code that checks their signature.
  if (!schema || (part === 'body' && route.config?.rawBody)) return undefined;
  if (schema === AnyQuery) return undefined;
  const check = createCheck(schema, PARTS[part]);
  if (part !== 'body') return (request) => check(read(request, part, schema)).slice(0, MAX_PROBLEMS);
  const { bodyProblems } = route.config ?? {};
  return (request) => {
    const { body, csvLines, lossyNumbers } = request;
    const more = (bodyProblems?.(body) ?? []).map(({ field, ...rest }) => ({
      loc: ['body', ...[field].flat()],
      ...rest,
    }));
    const problems = [...check(body), ...more, ...(lossyNumbers ?? [])].slice(0, MAX_PROBLEMS);
    return csvLines ? problems.map((problem) => onLine(problem, csvLines)) : problems;
  };
}

/**
 * All problems of a value, up to `most`. A list of objects is checked item by item, so that each problem names its
 * index.
 */
export function createCheck(schema: ObjectSchema, place: string, max = MAX_PROBLEMS): (value: unknown) => Problem[] {
  const lists = Object.entries(schema.properties).flatMap(([name, property]) =>
    isListOfObjects(property) ? [{ name, property, check: createCheck(property.items, place) }] : [],
  );
  const itself = createShallowCheck(withAnyItems(schema, lists), place);
  return (value) => {
    const problems = itself(value);
    for (const { name, check } of lists) {
      const items = isObject(value) ? value[name] : undefined;
      if (!Array.isArray(items)) continue;
      for (const [index, item] of items.entries()) {
        for (const { loc, ...problem } of check(item))
          problems.push({ loc: [place, name, index, ...loc.slice(1)], ...problem });
        if (problems.length >= max) return problems;
      }
    }
    return problems;
  };
}

function isListOfObjects(schema: TSchema): schema is TSchema & { items: ObjectSchema } {
  const { type, items } = schema as { type?: string; items?: { properties?: object } };
  return type === 'array' && items?.properties !== undefined;
}

/** The schema with lists whose items may be anything. */
function withAnyItems(schema: ObjectSchema, lists: { name: string; property: TSchema }[]): ObjectSchema {
  if (lists.length === 0) return schema;
  const properties = lists.map(({ name, property }) => [name, { ...property, items: {} }]);
  return { ...schema, properties: { ...schema.properties, ...Object.fromEntries(properties) } };
}

function createShallowCheck(schema: ObjectSchema, place: string): (value: unknown) => Problem[] {
  // Compiled on the first request: compiling all at once would take a good part of the startup.
  let compiled: ReturnType<typeof Compile<TSchema>> | undefined;
  // List items are checked separately.
  const stored = Object.entries(schema.properties)
    .filter(([, field]) => (field as { type?: unknown }).type !== 'array')
    .map(([name, field]): Stored => ({ name, ...(field as Partial<Stored>) }));
  return (value) => {
    compiled ??= Compile(schema as TSchema);
    const validator = compiled;
    const problems = validator.Check(value)
      ? []
      : validator
          .Errors(excerpt(schema.properties, value))
          .flatMap((error) => toProblem(error, schema.properties, value, place));
    if (!isObject(value)) return problems;
    // A field that is reported already is not searched: a large object in place of a string would block the event loop.
    const reported = new Set(problems.map((problem) => problem.loc[1]));
    for (const field of stored) {
      const problem = reported.has(field.name) ? null : storageProblem(field, value[field.name], place);
      if (problem) problems.push(problem);
    }
    return problems;
  };
}

/** The value reduced to a few of its unknown fields at each level: each one would be a problem. */
function excerpt(properties: TProperties, value: unknown): unknown {
  if (!isObject(value)) return value;
  const names = Object.keys(value);
  const known = names.filter((name) => Object.hasOwn(properties, name));
  const unknown = names.filter((name) => !Object.hasOwn(properties, name)).slice(0, MAX_UNKNOWN);
  return Object.fromEntries([...known, ...unknown].map((name) => [name, firstFields(value[name])]));
}

function firstFields(value: unknown): unknown {
  if (!isObject(value)) return value;
  const names = Object.keys(value);
  if (names.length <= MAX_PROBLEMS) return value;
  return Object.fromEntries(names.slice(0, MAX_PROBLEMS).map((name) => [name, value[name]]));
}

/** The part as it is validated. Query text is converted to the numbers of its schema. */
function read(request: FastifyRequest, part: Part, schema: { properties: TProperties }): unknown {
  if (part === 'headers') return request.headers;
  request.query = fromText(schema.properties, request.query as Record<string, unknown>);
  return request.query;
}

/** A field of a schema that is stored. Unknown fields are not, so only known ones are checked. */
interface Stored {
  name: string;
  maxLength?: number;
  'x-max-bytes'?: number;
}

/** The problem of a valid value that cannot be stored; null if it can. */
function storageProblem(field: Stored, value: unknown, place: string): Problem | null {
  const { name, maxLength = Number.POSITIVE_INFINITY, 'x-max-bytes': maxBytes = MAX_OBJECT_BYTES } = field;
  const loc = [place, name];
  // The validator counts graphemes, each of any number of code points, but an index entry is limited in bytes.
  if (typeof value === 'string' && value.length > maxLength && [...value].length > maxLength)
    return { loc, msg: `String should have at most ${maxLength} characters`, type: 'string_too_long' };
  if (typeof value === 'object' && value !== null && isLongerThan(value, maxBytes))
    return { loc, msg: `Input should be at most ${maxBytes} bytes of JSON`, type: 'too_long' };
  const found = firstUnstorable(value);
  return found && { loc: [...loc, ...found.path], msg: found.msg, type: found.type };
}
