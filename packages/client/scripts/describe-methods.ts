/** The parts of an OpenAPI description that methods are generated from. */
export interface Description {
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, Schema> };
}

interface Operation {
  operationId?: string;
  summary?: string;
  description?: string;
  parameters?: { in: string; name: string; required?: boolean; schema?: Schema }[];
  requestBody?: { required?: boolean; content: Record<string, { schema: Schema }> };
  responses: Record<string, { content?: Record<string, { schema: Schema }> }>;
}

interface Schema {
  $ref?: string;
  type?: string | string[];
  anyOf?: Schema[];
  items?: Schema;
  required?: string[];
  properties?: Record<string, Schema>;
}

type Methods = Record<string, Record<string, string>>;

interface Found extends Operation {
  id: string;
  method: string;
  path: string;
}

const JSON_TYPE = 'application/json';
const STREAM_TYPE = 'text/event-stream';
/** The types of event streams, which are text in the description. */
const STREAMS: Record<string, { options: string; event: string }> = {
  streamCallEvents: { options: 'EventOptions', event: 'CallEvent' },
  streamEvents: { options: 'UserEventOptions', event: 'UserEvent' },
};

/**
 * Generates the types of the methods, and a table of their requests. Throws if an operation has no method, or a
 * method no operation.
 */
export function describeMethods(description: Description, methods: Methods): string {
  const operations = listOperations(description);
  const named = Object.values(methods).flatMap((group) => Object.values(group));
  const missing = operations.filter(({ id }) => !named.includes(id)).map(({ id }) => id);
  if (missing.length > 0)
    throw new Error(`no method for ${missing.join(', ')}: give each a name in packages/client/src/methods.ts`);
  const find = (id: string) => {
    const found = operations.find((operation) => operation.id === id);
    if (!found) throw new Error(`packages/client/src/methods.ts names ${id}, which is no operation of the API`);
    return found;
  };
  const groups = Object.entries(methods).map(([group, ids]) => {
    const lines = Object.entries(ids).map(([name, id]) => describeMethod(description, name, find(id)));
    return `  ${group}: {\n${lines.join('\n')}\n  };`;
  });
  const table = operations.map(
    (operation) => `  ${operation.id}: ${JSON.stringify(requestOf(description, operation))},`,
  );
  return [
    'import type { CallEvent, UserEvent } from "../call-event.ts";',
    'import type { EventOptions, OptionalUser, RequestOptions, UserEventOptions } from "../options.ts";',
    'import type { Pages } from "../pages.ts";',
    'import type * as api from "./schema.ts";',
    '',
    'export interface Methods {',
    ...groups,
    '}',
    '',
    '/** The request of each operation. */',
    'export const OPERATIONS = {',
    ...table,
    '} as const;',
    '',
  ].join('\n');
}

function listOperations({ paths }: Description): Found[] {
  return Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations).flatMap(([method, operation]) =>
      operation.operationId ? [{ ...operation, id: operation.operationId, method: method.toUpperCase(), path }] : [],
    ),
  );
}

function requestOf(description: Description, operation: Found) {
  const list = listOf(description, operation);
  const body = resolve(description, operation.requestBody?.content[JSON_TYPE]?.schema);
  const numbers = numbersOf(description, operation);
  return {
    method: operation.method,
    path: operation.path,
    ...(numbers.length > 0 && { numbers }),
    ...(hasKey(operation) && { takesKey: true }),
    ...(body && { input: 'body' }),
    ...(queryOf(operation).length > 0 && !isStream(operation) && { input: 'query' }),
    ...(body?.required?.includes('user_id') && { namesUser: true }),
    ...(list && { list }),
    ...(!contentOf(operation) && { answer: 'none' }),
    ...(contentOf(operation) && !jsonOf(operation) && { answer: isAudio(operation) ? 'blob' : 'text' }),
  };
}

function describeMethod(description: Description, name: string, operation: Found): string {
  const input = inputOf(description, operation);
  const numbers = numbersOf(description, operation);
  const typeOf = (param: string) => (numbers.includes(param) ? 'number | string' : 'string');
  const path = [...operation.path.matchAll(/\{(\w+)\}/g)].map(([, param = '']) => `${param}: ${typeOf(param)}`);
  const options = `options?: ${STREAMS[operation.id]?.options ?? 'RequestOptions'}`;
  const args = [...path, ...(input ? [input] : []), options].join(', ');
  const text = [operation.summary, operation.description].filter((part) => part).join('.\n');
  const comment = text.replaceAll('*/', '* /').replace(/\n+/g, '\n     *\n     * ');
  return `    /**\n     * ${comment}\n     */\n    ${name}(${args}): ${answerOf(description, operation)};`;
}

function inputOf(description: Description, operation: Found): string | undefined {
  const { id, requestBody } = operation;
  const query = queryOf(operation);
  const schema = requestBody?.content[JSON_TYPE]?.schema;
  if (schema && query.length > 0) throw new Error(`${id} has a query and a body: methods take one of them`);
  if (schema) {
    const named = nameOf(schema);
    if (!named) throw new Error(`the body of ${id} has no name in the description`);
    const namesUser = resolve(description, schema)?.required?.includes('user_id');
    return `body${requestBody?.required ? '' : '?'}: ${namesUser ? `OptionalUser<${named}>` : named}`;
  }
  if (query.length === 0 || isStream(operation)) return undefined;
  const isRequired = query.some(({ required }) => required);
  return `query${isRequired ? '' : '?'}: NonNullable<api.operations['${id}']['parameters']['query']>`;
}

function answerOf(description: Description, operation: Found): string {
  if (isStream(operation)) return `AsyncGenerator<${STREAMS[operation.id]?.event}, void, undefined>`;
  const content = contentOf(operation);
  if (!content) return 'Promise<void>';
  const json = jsonOf(operation);
  if (!json) return isAudio(operation) ? 'Promise<Blob>' : 'Promise<string>';
  const answer = nameOf(json) ?? (json.items && nameOf(json.items) ? `${nameOf(json.items)}[]` : undefined);
  if (!answer) throw new Error(`the answer of ${operation.id} has no name in the description`);
  const list = listOf(description, operation);
  return list ? `Pages<${answer}, '${list}'>` : `Promise<${answer}>`;
}

/**
 * The property of a page that holds its items; undefined if the response is not a page. A list without an end, whose
 * cursor is never null, is none.
 */
function listOf(description: Description, operation: Found): string | undefined {
  const { properties } = resolve(description, jsonOf(operation)) ?? {};
  if (!properties?.next_cursor?.type?.includes('null')) return undefined;
  const lists = Object.keys(properties).filter((name) => properties[name]?.type === 'array');
  if (lists.length !== 1) throw new Error(`${operation.id} answers with ${lists.length} lists: a page has one`);
  return lists[0];
}

function contentOf({ responses }: Operation) {
  return Object.entries(responses).find(([status]) => status.startsWith('2') && responses[status]?.content)?.[1]
    .content;
}

const jsonOf = (operation: Operation) => contentOf(operation)?.[JSON_TYPE]?.schema;
/** An answer that may be JSON too is that, and its stream has a method of its own. */
const isStream = (operation: Operation) => contentOf(operation)?.[STREAM_TYPE] !== undefined && !jsonOf(operation);
const isAudio = (operation: Operation) => contentOf(operation)?.['audio/ogg'] !== undefined;
const queryOf = ({ parameters = [] }: Operation) => parameters.filter((one) => one.in === 'query');
const hasKey = ({ parameters = [] }: Operation) => parameters.some(({ name }) => name === 'idempotency-key');

/** Parts of the path that may be numbers. */
function numbersOf(description: Description, { parameters = [] }: Operation): string[] {
  const isNumber = (schema: Schema | undefined): boolean => {
    const { type, anyOf = [] } = resolve(description, schema) ?? {};
    return type === 'integer' || anyOf.some(isNumber);
  };
  return parameters.filter((one) => one.in === 'path' && isNumber(one.schema)).map(({ name }) => name);
}

function nameOf({ $ref }: Schema): string | undefined {
  return $ref && `api.${$ref.split('/').at(-1)}`;
}

function resolve({ components }: Description, schema: Schema | undefined): Schema | undefined {
  return schema?.$ref ? components.schemas[schema.$ref.split('/').at(-1) ?? ''] : schema;
}
