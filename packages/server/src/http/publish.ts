import { csvHeader, csvRecord } from '../lib/csv.ts';
import { NUMERIC_STRING_PATTERN } from '../lib/decimal.ts';
import { isObject, type JsonObject } from '../lib/json.ts';
import { NDJSON_TYPE } from './csv.ts';
import { examplesOf, REFUSALS } from './responses.ts';

/** Headers of answers, by the name of their description. */
const HEADERS = {
  'x-request-id': {
    description: 'The id of the request: as sent by the client, or a new one.',
    schema: { type: 'string' },
  },
  'retry-after': {
    description: 'Seconds to wait before a retry.',
    schema: { type: 'integer', minimum: 1 },
  },
};

// Optional in the description: a user's own key or token names the user. A refusal says where it is missing.
const USER_HEADER = {
  required: false,
  description:
    'The calling user. Implied by a user\u2019s own key or token; names the user that a `service` or `worker` key, or a client in open mode, acts for.',
};

// Patterns for the formats that only our validator knows.
const FORMATS: Record<string, JsonObject> = {
  phone_number: { type: 'string', pattern: '^\\+[1-9]\\d{1,14}$', examples: ['+15005550100'] },
  called_number: { type: 'string', pattern: '^[+ ]?[1-9]\\d{1,14}$', examples: ['+15005550100', '15005550100'] },
  callback_url: { type: 'string', format: 'uri', maxLength: 2048, examples: ['https://example.com/calls'] },
  decimal: {
    anyOf: [{ type: 'number' }, { type: 'string', maxLength: 64, pattern: NUMERIC_STRING_PATTERN }],
    examples: ['0.000015'],
  },
};

const EXAMPLES = ['example', 'examples'];

/**
 * The published description, generated from the routes: titled schemas and enums become named components, a nullable
 * enum is `anyOf` the enum and null (so that generators make one class of it), refusals become shared responses, and
 * our own formats become standard ones.
 */
export function publish<T extends object>(document: T): T {
  const schemas: Record<string, unknown> = {};
  const visited = visit(document, schemas) as T & { components: object; paths: Record<string, object> };
  const paths = Object.fromEntries(
    Object.entries(visited.paths).map(([path, operations]) => [path, mapValues(operations, publishOperation)]),
  );
  const responses = Object.fromEntries(
    Object.entries(REFUSALS).map(([status, { name }]) => [name, refusal(Number(status), schemas)]),
  );
  return {
    ...visited,
    paths,
    components: { ...visited.components, schemas: sorted(schemas), responses, headers: headers() },
  };
}

/** `areNames`: the keys are field names rather than keywords. */
function visit(value: unknown, schemas: Record<string, unknown>, areNames = false): unknown {
  if (Array.isArray(value)) return value.map((one) => visit(one, schemas));
  if (!isObject(value)) return value;
  const { title, ...rest } = value;
  const format = FORMATS[String(rest.format)];
  if (format)
    return { ...format, ...(rest.description ? { description: rest.description } : {}), ...nullableType(rest, format) };
  // Examples are copied as they are: one may look like a schema.
  const copy = mapValues(rest, (inner, key) =>
    !areNames && EXAMPLES.includes(key) ? inner : visit(inner, schemas, key === 'properties'),
  );
  if (rest.description === 'Default Response') return { ...copy, description: 'The request succeeded.' };
  if (typeof title !== 'string' || !('type' in value)) return typeof title === 'string' ? { title, ...copy } : copy;
  const isNullable = Array.isArray(rest.type) && rest.type.includes('null');
  schemas[title] = isNullable ? withoutNull(copy) : copy;
  const reference = { $ref: `#/components/schemas/${title}` };
  return isNullable ? { anyOf: [reference, { type: 'null' }] } : reference;
}

function withoutNull({ type, enum: values, ...rest }: JsonObject): JsonObject {
  const types = (type as string[]).filter((one) => one !== 'null');
  return {
    type: types.length === 1 ? types[0] : types,
    ...(Array.isArray(values) && { enum: values.filter((one) => one !== null) }),
    ...rest,
  };
}

function nullableType(schema: JsonObject, format: JsonObject): JsonObject {
  if (!Array.isArray(schema.type)) return {};
  if ('type' in format) return { type: schema.type };
  return Array.isArray(format.anyOf) ? { anyOf: [...format.anyOf, { type: 'null' }] } : {};
}

/** Adds the shared refusals, the request id on all other responses, and the calling user as an optional header. */
function publishOperation(operation: unknown): unknown {
  if (!isObject(operation) || !isObject(operation.responses)) return operation;
  const responses = Object.entries(operation.responses).map(([status, response]) => {
    const shared = REFUSALS[Number(status)];
    if (shared && isRefusal(response)) return [status, { $ref: `#/components/responses/${shared.name}` }];
    return [status, { ...(response as JsonObject), headers: reference(['x-request-id']) }];
  });
  const parameters = (operation.parameters as JsonObject[] | undefined)?.map((parameter) =>
    parameter.name === 'x-user-id' ? { ...parameter, ...USER_HEADER } : withStyle(parameter),
  );
  const requestBody = isObject(operation.requestBody) && withCsvAsText(operation.requestBody);
  return {
    ...operation,
    ...(parameters && { parameters }),
    ...(requestBody && { requestBody }),
    responses: Object.fromEntries(responses),
  };
}

/** An object in a query is written as `name[key]=value`, which clients have to be told. */
function withStyle(parameter: JsonObject): JsonObject {
  const isObjectInQuery = parameter.in === 'query' && (parameter.schema as { type?: unknown }).type === 'object';
  return isObjectInQuery ? { ...parameter, style: 'deepObject', explode: true } : parameter;
}

/** A file as text, with the list's example as CSV, and, where it is accepted, as a line of JSON. */
function withCsvAsText(body: JsonObject): JsonObject {
  const content = body.content as JsonObject;
  const csv = content['text/csv'] as { example?: Record<string, object[]> } | undefined;
  if (!csv) return body;
  const [first = {}] = Object.values(csv.example ?? {}).flat();
  const cells = Object.entries(first).filter(([, value]) => !isObject(value));
  const columns = Object.fromEntries(cells.map(([name]) => [name, 'text' as const]));
  const asText = (example: string) => ({ schema: { type: 'string' }, example });
  const files = {
    'text/csv': asText(csvHeader(columns) + csvRecord(columns, first)),
    ...(content[NDJSON_TYPE] !== undefined && { [NDJSON_TYPE]: asText(`${JSON.stringify(first)}\n`) }),
  };
  return { ...body, content: { ...content, ...files } };
}

function isRefusal(response: unknown): boolean {
  return /"#\/components\/schemas\/(Validation)?Failure"/.test(JSON.stringify(response));
}

function refusal(status: number, schemas: Record<string, unknown>): JsonObject {
  const { description = '', headers = [] } = REFUSALS[status] ?? {};
  const name = status === 422 ? 'ValidationFailure' : 'Failure';
  // Every reference has a target.
  if (!(name in schemas)) return { description };
  return {
    description,
    headers: reference(['x-request-id', ...headers]),
    content: { 'application/json': { schema: { $ref: `#/components/schemas/${name}` }, examples: examplesOf(status) } },
  };
}

function headers(): JsonObject {
  return Object.fromEntries(Object.entries(HEADERS).map(([name, header]) => [name, header]));
}

function reference(names: string[]): JsonObject {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}

function mapValues(object: object, change: (value: unknown, key: string) => unknown): JsonObject {
  return Object.fromEntries(Object.entries(object).map(([key, value]) => [key, change(value, key)]));
}

function sorted(object: Record<string, unknown>): JsonObject {
  return Object.fromEntries(Object.entries(object).sort(([a], [b]) => (a < b ? -1 : 1)));
}
