import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startService } from '@switchboard/testkit/service.ts';

const service = await startService();

interface Schema {
  $ref?: string;
  type?: string | string[];
  enum?: unknown[];
  pattern?: string;
  format?: string;
  properties?: Record<string, Schema>;
  required?: string[];
  examples?: unknown[];
  items?: Schema;
  anyOf?: Schema[];
}

interface Operation {
  summary?: string;
  parameters?: { name: string; in: string; required?: boolean; schema: Schema }[];
  requestBody?: {
    required?: boolean;
    content: Record<string, { schema: Schema; examples?: object; example?: unknown }>;
  };
  responses: Record<string, Response>;
  operationId?: string;
  description?: string;
  security?: object[];
}

interface Response {
  description?: string;
  headers?: object;
  content?: Record<string, { schema: Schema; examples?: object }>;
}

const document = (await service.request('GET', '/openapi.json')).body;
const paths: Record<string, Record<string, Operation>> = document.paths;
const operations = Object.entries(paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({
    name: `${method.toUpperCase()} ${path}`,
    operation: { ...operation, responses: withoutReferences(operation.responses) },
  })),
);

/** Responses that operations share, in their places. */
function withoutReferences(responses: Record<string, Response & { $ref?: string }>): Record<string, Response> {
  return Object.fromEntries(
    Object.entries(responses).map(([status, { $ref, ...response }]) => {
      const name = $ref?.split('/').at(-1);
      return [status, name ? document.components.responses[name] : response];
    }),
  );
}

function operation(name: string): Operation {
  const found = operations.find((one) => one.name === name);
  assert.ok(found, `${name} is published`);
  return found.operation;
}

function resolve(schema: Schema | undefined): Schema {
  const name = schema?.$ref?.split('/').at(-1);
  return name ? document.components.schemas[name] : (schema ?? {});
}

const json = (content: Record<string, { schema: Schema }> | undefined) =>
  resolve(content?.['application/json']?.schema);
const fields = (schema: Schema) => Object.keys(schema.properties ?? {}).sort();

const SESSION =
  'id room_name status started_at ended_at duration user_id agent_id agent_name created_at updated_at session_data call_direction outbound_phone_number call_status analysis transferred_to transfer_type transfer_timestamp';
const AGENT = 'id name type is_active user_id created_at updated_at description config phone_number carrier_sid';
const USAGE = 'session_id user_id agent_id provider event_type quantity unit_cost total_cost';
const TRANSFER = 'session_id transfer_type transferred_to status message';
const CALL_STATUS =
  'call_id status room_name call_status call_direction outbound_phone_number started_at ended_at duration';
const SUMMARY = 'total_cost this_month_cost by_provider';

/**
 * The 17 operations of the specification: success status (by the contract), fields of the body, fields of the answer.
 */
const SPECIFIED: [name: string, status: number, body: string | null, answer: string | null][] = [
  ['POST /api/usage/events', 201, USAGE, `${USAGE} id created_at`],
  ['GET /api/sessions/{session_id}', 200, null, SESSION],
  ['PATCH /api/sessions/{session_id}', 200, 'ended_at duration metadata', SESSION],
  ['POST /api/sessions/{session_id}/transfer', 200, 'phone_number', TRANSFER],
  ['POST /api/sessions/by-room/{room_name}/transcripts', 201, 'content', 'id session_id content speaker timestamp'],
  ['POST /api/calls/outbound', 201, 'agent_id phone_number callback_url', 'call_id room_name status'],
  ['GET /api/calls/{call_id}/status', 200, null, CALL_STATUS],
  ['POST /api/agents/', 201, 'name user_id description config', AGENT],
  ['GET /api/agents/', 200, null, AGENT],
  ['GET /api/agents/{agent_id}', 200, null, AGENT],
  ['PATCH /api/agents/{agent_id}', 200, 'name description config is_active', AGENT],
  ['POST /api/telephony/numbers/assign', 200, 'agent_id phone_number', null],
  ['POST /api/telephony/numbers/release', 200, 'agent_id', null],
  ['POST /api/media/webhook', 200, '', null],
  ['GET /api/costs/summary', 200, null, SUMMARY],
  ['GET /api/costs/by-agent', 200, null, 'agent_id agent_name total_cost session_count event_count'],
  ['GET /api/costs/timeline', 200, null, 'date total_cost by_provider'],
];

test('the description is OpenAPI 3.1.0 of version 0.1.0', () => {
  assert.deepEqual([document.openapi, document.info.version], ['3.1.0', '0.1.0']);
  assert.equal(SPECIFIED.length, 17);
});

for (const [name, status, body, answer] of SPECIFIED) {
  test(`${name} is published with its body, its response ${status} and its errors`, () => {
    const { responses, requestBody } = operation(name);
    const success = responses[status];
    assert.ok(success, `${status} is published`);
    if (answer !== null) {
      const schema = json(success.content);
      const item = resolve(schema.items ?? schema);
      const ofLaterCalls = name === 'POST /api/calls/outbound' ? ' call_status due_at' : '';
      assert.deepEqual(fields(item), (answer + ofLaterCalls).split(' ').sort());
      assert.deepEqual([...(item.required ?? [])].sort(), answer.split(' ').sort(), 'every field is always there');
    }
    if (body !== null) {
      assert.ok(requestBody, 'a body is published');
      const published = fields(json(requestBody.content));
      for (const field of body.split(' ').filter(Boolean))
        assert.ok(published.includes(field), `${field} is published`);
      for (const refusal of ['413', '415']) assert.ok(responses[refusal], `${refusal} is published`);
    } else assert.equal(requestBody, undefined);
    const invalid = resolve(json(responses['422']?.content).properties?.detail?.items);
    assert.deepEqual(fields(invalid), ['ctx', 'input', 'loc', 'msg', 'type']);
    assert.deepEqual(invalid.required, ['loc', 'msg', 'type']);
  });
}

test('every operation has a unique summary, and a description of each response', () => {
  const summaries = operations.map((one) => one.operation.summary);
  for (const { name, operation } of operations) {
    assert.ok(operation.summary, name);
    for (const [status, response] of Object.entries(operation.responses)) {
      assert.ok(response.description, `${name} ${status}`);
    }
  }
  assert.equal(new Set(summaries).size, summaries.length);
});

test('every body has an example', () => {
  for (const { name, operation } of operations) {
    for (const media of Object.values(operation.requestBody?.content ?? {})) {
      const examples = media.examples ?? media.example ?? resolve(media.schema).examples;
      assert.ok(examples && Object.keys(examples).length > 0, name);
    }
  }
});

test('every body is required, and never a form', () => {
  for (const { name, operation } of operations) {
    if (!operation.requestBody) continue;
    assert.equal(operation.requestBody.required, true, name);
    for (const type of Object.keys(operation.requestBody.content)) assert.match(type, /json$|^text\/csv$/, name);
  }
});

test('the required fields of bodies are those of the specification', () => {
  const required = (name: string) => [...(json(operation(name).requestBody?.content).required ?? [])].sort();
  assert.deepEqual(required('POST /api/agents/'), ['name', 'user_id']);
  assert.deepEqual(required('PATCH /api/agents/{agent_id}'), []);
  assert.deepEqual(required('PATCH /api/sessions/{session_id}'), []);
  assert.deepEqual(required('POST /api/sessions/by-room/{room_name}/transcripts'), ['content']);
  assert.deepEqual(required('POST /api/telephony/numbers/assign'), ['agent_id', 'phone_number']);
  assert.deepEqual(required('POST /api/telephony/numbers/release'), ['agent_id']);
  assert.deepEqual(
    required('POST /api/usage/events'),
    USAGE.split(' ')
      .filter((field) => field !== 'agent_id')
      .sort(),
  );
});

test('an amount may be sent as a number or a numeric string of the specified pattern, and is returned as a string', () => {
  const pattern = String.raw`^(?!^[-+.]*$)[+-]?0*\d*\.?\d*$`;
  const { requestBody, responses } = operation('POST /api/usage/events');
  for (const field of ['quantity', 'unit_cost', 'total_cost']) {
    const sent = json(requestBody?.content).properties?.[field];
    assert.deepEqual(sent?.anyOf?.map(({ type }) => type).sort(), ['number', 'string']);
    assert.ok(sent?.anyOf?.some((one) => one.pattern === pattern));
    assert.equal(json(responses['201']?.content).properties?.[field]?.pattern, pattern);
  }
});

test('the grouping of the timeline is published with its pattern and its default', () => {
  const period = operation('GET /api/costs/timeline').parameters?.find(({ name }) => name === 'period');
  assert.deepEqual(period?.schema, { type: 'string', pattern: '^(daily|weekly|monthly)$', default: 'daily' });
});

test('the header x-user-id is published as optional: a user’s own key names the user', () => {
  for (const [name] of SPECIFIED) {
    if (name === 'POST /api/media/webhook') continue;
    const header = operation(name).parameters?.find((one) => one.in === 'header' && one.name === 'x-user-id');
    assert.equal(header?.required, false, name);
  }
});

test('every operation has a unique operationId in camelCase, a description, and its allowed roles', () => {
  const ids = operations.map(({ operation }) => operation.operationId ?? '');
  assert.equal(new Set(ids).size, ids.length);
  for (const { name, operation } of operations) {
    assert.match(operation.operationId ?? '', /^[a-z]+([A-Z][a-z]*)+$/, name);
    assert.ok((operation.description?.length ?? 0) > 40, name);
    const isPublic = operation.security?.length === 0;
    assert.equal(operation.description?.includes('Roles: '), !isPublic, name);
  }
  const open = operations.filter(({ operation }) => operation.security?.length === 0).map(({ name }) => name);
  const allowed =
    'GET /.well-known/switchboard-evidence.json, GET /api/console/sign-in, GET /healthz, GET /readyz, POST /api/console/session, POST /api/media/webhook';
  assert.equal(open.sort().join(', '), allowed);
  assert.deepEqual(document.security, [{ bearer: [] }]);
});

test('every enum has one name, and a nullable one is the enum or null', () => {
  const named = Object.entries<Schema>(document.components.schemas).filter(([, schema]) => schema.enum);
  const names = named.map(([name]) => name);
  for (const name of [
    'CallStatus',
    'SessionStatus',
    'CallDirection',
    'EndReason',
    'Speaker',
    'TransferType',
    'EventType',
  ])
    assert.ok(names.includes(name), name);
  const anonymous: unknown[] = [];
  const visit = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return;
    if ('enum' in value && Array.isArray(value.enum) && value.enum.length > 1) anonymous.push(value.enum);
    for (const inner of Object.values(value)) visit(inner);
  };
  visit({ ...document, components: { ...document.components, schemas: withoutNames(names) } });
  assert.deepEqual(anonymous, []);
  const { CallState } = document.components.schemas;
  assert.deepEqual(CallState.properties.call_status.anyOf, [
    { $ref: '#/components/schemas/CallStatus' },
    { type: 'null' },
  ]);
});

function withoutNames(names: string[]): object {
  return Object.fromEntries(Object.entries(document.components.schemas).filter(([name]) => !names.includes(name)));
}

test('every error response has an example of each code of its status', () => {
  const refusals: Record<string, Response> = document.components.responses;
  assert.ok(Object.keys(refusals).length > 10);
  for (const [name, { content, headers, description }] of Object.entries(refusals)) {
    const { schema, examples = {} } = content?.['application/json'] ?? {};
    assert.ok(schema && description && headers && Object.keys(examples).length > 0, name);
  }
  assert.ok('retry-after' in (refusals.TooManyRequests?.headers ?? {}));
});

test('pages are named schemas, and callbacks are published as webhooks with their body', () => {
  const { schemas } = document.components;
  assert.deepEqual(fields(schemas.CallSummaryPage), ['items', 'next_cursor']);
  const webhooks: Record<string, { post: Operation }> = document.webhooks;
  assert.ok(Object.keys(webhooks).includes('call.completed'));
  for (const { post } of Object.values(webhooks))
    assert.deepEqual(fields(json(post.requestBody?.content)), ['data', 'timestamp', 'type']);
});

test('every $ref resolves, and every format is a standard one', () => {
  // `binary` is in OpenAPI's registry of formats: any sequence of bytes.
  const known = new Set(['date-time', 'date', 'uri', 'binary', undefined]);
  const at = (reference: string) =>
    reference
      .slice(2)
      .split('/')
      .reduce((value, key) => value?.[key], document);
  const visit = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return;
    const { $ref, format } = value as Schema;
    if (typeof $ref === 'string') assert.ok(at($ref), $ref);
    if (typeof format === 'string' || format === undefined) assert.ok(known.has(format), format);
    for (const inner of Object.values(value)) visit(inner);
  };
  visit(document);
});

test('the reference page loads nothing from other hosts', async () => {
  const page = await fetch(`${service.url}/docs`);
  const html = await page.text();
  assert.equal(page.status, 200);
  assert.match(page.headers.get('content-type') ?? '', /^text\/html/);
  const loaded = [...html.matchAll(/<(?:script|link|img|iframe)\b[^>]*?(?:src|href)\s*=\s*["']?([^"'\s>]+)/gi)].map(
    (match) => match[1] ?? '',
  );
  assert.ok(loaded.length > 0);
  for (const reference of loaded) {
    const url = new URL(reference, page.url);
    assert.equal(url.origin, service.url, reference);
    assert.equal((await fetch(url)).status, 200, reference);
  }
});
