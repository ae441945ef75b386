import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { after, test } from 'node:test';
import { eventually } from '@switchboard/testkit/eventually.ts';
import { writeSection } from '@switchboard/testkit/section.ts';
import {
  agentOperations,
  callOperations,
  chatOperations,
  consoleOperations,
  expectedOf,
  extractorOperations,
  type Operation,
  othersOf,
  outreachOperations,
  PLAIN_OPERATIONS,
  serviceOperations,
  testOperations,
} from '../support/auth-operations.ts';
import { ask, REFUSED, revoked, service } from '../support/principals.ts';

const as = (who: string) => (method: string, path: string, body?: unknown) =>
  ask(who, method, path, body === undefined ? {} : { body });
const agent = (await as('owner')('POST', '/api/agents/', { name: 'Front desk', user_id: 'owner' })).body;
const web = { agent_id: agent.id };
const session = (await as('worker')('POST', '/api/sessions/', { user_id: 'owner', room_name: 'auth-room' })).body;
const call = (
  await as('owner')('POST', '/api/calls/outbound', {
    agent_id: agent.id,
    phone_number: '+15005550001',
    callback_url: 'http://127.0.0.1:1/',
  })
).body;
const callback = await eventually(
  async () => (await as('owner')('GET', '/api/callbacks')).body.items[0],
  (found) => found !== undefined,
);
const endpoint = (await as('owner')('POST', '/api/webhook-endpoints', { url: 'http://127.0.0.1:1/' })).body;
const priced = { quantity: 1, unit_cost: 1, total_cost: 1 };
const usage = { session_id: session.id, user_id: 'owner', provider: 'p', event_type: 'llm_tokens', ...priced };

const IMPORT = '/api/costs/carrier-import?date=2026-01-01';
const ROTATE = '/api/callbacks/secret/rotate';

/** Every operation under /api and the metrics, with the status each principal gets. */
const MATRIX: Operation[] = [
  {
    method: 'POST',
    path: '/api/usage/events',
    body: usage,
    owner: 403,
    service: 201,
    worker: 201,
    other: 403,
    foreign: 403,
  },
  {
    method: 'POST',
    path: '/api/usage/events/batch',
    body: { events: [usage] },
    owner: 403,
    service: 201,
    worker: 201,
    other: 403,
    foreign: 403,
  },
  { method: 'GET', path: '/api/usage/events', owner: 200, worker: 403, other: 200 },
  { method: 'POST', path: IMPORT, owner: 403, service: 200, worker: 403, other: 403 },
  { method: 'GET', path: `/api/sessions/${session.id}`, owner: 200, worker: 200, other: 404 },
  { method: 'PATCH', path: `/api/sessions/${session.id}`, body: { metadata: {} }, owner: 200, worker: 200, other: 404 },
  {
    method: 'POST',
    path: `/api/sessions/${session.id}/transfer`,
    body: { phone_number: '+15005550101' },
    also: ['supervisor'],
    owner: 409,
    worker: 409,
    other: 404,
  },
  {
    method: 'POST',
    path: `/api/sessions/${session.id}/transfer/complete`,
    also: ['supervisor'],
    owner: 409,
    worker: 409,
    other: 404,
  },
  {
    method: 'POST',
    path: '/api/sessions/by-room/auth-room/transcripts',
    body: { content: 'x' },
    owner: 201,
    worker: 201,
    other: 404,
  },
  {
    method: 'POST',
    path: '/api/calls/outbound',
    body: { agent_id: agent.id, phone_number: '+15005550001' },
    owner: 201,
    service: 422,
    worker: 403,
    other: 404,
  },
  { method: 'POST', path: '/api/calls/web', body: web, owner: 201, service: 401, worker: 403, other: 404 },
  ...callOperations(call),
  {
    method: 'POST',
    path: `/api/calls/${call.call_id}/listen`,
    also: ['supervisor'],
    owner: 409,
    worker: 403,
    other: 404,
  },
  { method: 'GET', path: `/api/calls/${call.call_id}/events`, owner: 200, worker: 403, other: 404 },
  {
    method: 'POST',
    path: `/api/calls/${call.call_id}/events/token`,
    also: ['viewer', 'supervisor'],
    owner: 201,
    worker: 403,
    other: 404,
  },
  { method: 'POST', path: '/api/agents/', body: { name: 'x', user_id: 'owner' }, owner: 201, worker: 403, other: 403 },
  { method: 'GET', path: `/api/agents/${agent.id}`, owner: 200, worker: 200, other: 404 },
  { method: 'PATCH', path: `/api/agents/${agent.id}`, body: {}, owner: 200, worker: 403, other: 404 },
  {
    method: 'POST',
    path: '/api/telephony/numbers/assign',
    body: { agent_id: agent.id, phone_number: '+15005550099' },
    owner: 404,
    worker: 403,
    other: 404,
  },
  {
    method: 'POST',
    path: '/api/telephony/numbers/release',
    body: { agent_id: agent.id },
    owner: 409,
    worker: 403,
    other: 404,
  },
  {
    method: 'POST',
    path: '/api/sessions/',
    body: { user_id: 'owner', room_name: 'auth-room' },
    owner: 201,
    worker: 201,
    other: 403,
    foreign: 403,
  },
  { method: 'GET', path: `/api/sessions/${session.id}/transcripts`, owner: 200, worker: 200, other: 404 },
  {
    method: 'POST',
    path: `/api/sessions/${session.id}/turns`,
    body: { turns: [{ turn_index: 0, end_of_speech_at: '2026-01-15T09:30:00Z' }] },
    owner: 403,
    service: 201,
    worker: 201,
    other: 403,
  },
  {
    method: 'POST',
    path: `/api/sessions/${session.id}/failovers`,
    body: { id: randomUUID(), kind: 'llm', from: 'openai/a', to: 'groq/b', reason: 'error' },
    owner: 403,
    service: 201,
    worker: 201,
    other: 403,
  },
  { method: 'GET', path: `/api/sessions/${session.id}/turns`, owner: 200, worker: 200, other: 404 },
  {
    method: 'PUT',
    path: '/api/budgets/owner',
    body: { monthly_limit: null },
    owner: 403,
    service: 200,
    worker: 403,
    other: 403,
  },
  ...chatOperations(agent, session),
  ...extractorOperations(agent),
  ...testOperations(agent),
  { method: 'GET', path: `/api/sessions/${session.id}/costs`, owner: 200, worker: 403, other: 404 },
  { method: 'GET', path: `/api/calls/${call.call_id}`, owner: 200, worker: 200, other: 404 },
  {
    method: 'POST',
    path: `/api/calls/${call.call_id}/outcome`,
    body: { answered_by: 'human' },
    owner: 200,
    worker: 200,
    other: 404,
  },
  { method: 'POST', path: `/api/calls/${call.call_id}/end`, also: ['supervisor'], owner: 200, worker: 403, other: 404 },
  {
    method: 'POST',
    path: '/api/webhook-endpoints',
    body: { url: 'http://127.0.0.1:1/' },
    owner: 201,
    service: 401,
    worker: 403,
    other: 201,
  },
  { method: 'GET', path: '/api/webhook-endpoints', owner: 200, service: 401, worker: 403, other: 200 },
  { method: 'GET', path: `/api/webhook-endpoints/${endpoint.id}`, owner: 200, worker: 403, other: 404 },
  { method: 'PATCH', path: `/api/webhook-endpoints/${endpoint.id}`, body: {}, owner: 200, worker: 403, other: 404 },
  ...PLAIN_OPERATIONS,
  ...outreachOperations(agent),
  ...consoleOperations(callback, endpoint),
  ...agentOperations(agent),
  {
    method: 'DELETE',
    path: `/api/webhook-endpoints/${endpoint.id}`,
    owner: 204,
    service: 404,
    worker: 403,
    other: 404,
  },
  { method: 'POST', path: `/api/callbacks/${callback.id}/redeliver`, owner: 200, worker: 403, other: 404 },
  { method: 'POST', path: ROTATE, body: {}, owner: 200, service: 401, worker: 403, other: 200 },
  { method: 'GET', path: '/api/callbacks/secret', also: [], owner: 200, service: 401, worker: 403, other: 200 },
  {
    method: 'POST',
    path: '/api/media/token',
    body: { session_id: session.id },
    owner: 201,
    service: 401,
    worker: 403,
    other: 404,
  },
  ...serviceOperations(revoked),
  {
    method: 'POST',
    path: '/api/sessions/by-room/auth-room/end',
    also: ['supervisor'],
    owner: 200,
    worker: 200,
    other: 404,
  },
  { method: 'DELETE', path: `/api/agents/${agent.id}`, owner: 204, service: 404, worker: 403, other: 404 },
  { method: 'GET', path: '/api/users/owner', owner: 403, service: 200, worker: 403, other: 403, also: [] },
  {
    method: 'PATCH',
    path: '/api/users/owner',
    body: { legal_hold: false },
    owner: 403,
    service: 200,
    worker: 403,
    other: 403,
  },
  { method: 'DELETE', path: '/api/users/owner', owner: 403, service: 200, worker: 403, other: 403 },
];

test('the matrix has every published operation', () => {
  const { paths } = service.app.server.swagger() as { paths: Record<string, Record<string, unknown>> };
  const published = Object.entries(paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
  );
  const open = [
    'POST /api/console/session',
    'GET /api/console/sign-in',
    'GET /healthz',
    'GET /.well-known/switchboard-evidence.json',
    'GET /readyz',
    'POST /api/media/webhook',
  ];
  assert.equal(MATRIX.length, published.filter((operation) => !open.includes(operation)).length);
});

test('the table in docs/roles.md matches what each role may do', () => {
  const templates = Object.keys((service.app.server.swagger() as { paths: object }).paths);
  const templateOf = (concrete: string) =>
    templates.find((template) => {
      const [bare = ''] = concrete.split('?');
      return (
        new RegExp(`^${template.replace(/\{\w+\}/g, '[^/]+')}$`).test(bare) &&
        (bare === template || !templates.includes(bare))
      );
    });
  const mark = (isAllowed: boolean) => (isAllowed ? 'yes' : '');
  const expected = MATRIX.map((operation) => {
    const { method, path, owner, service: byService = owner, worker } = operation;
    const [also, byOperators] = [othersOf(operation), mark(byService !== 403)];
    const others = [also.includes('viewer'), also.includes('supervisor'), owner !== 403, worker !== 403].map(mark);
    return [`\`${method} ${templateOf(path)}\``, ...others, byOperators, byOperators].join('|');
  });
  const page = readFileSync(path.resolve(import.meta.dirname, '../../../../docs/roles.md'), 'utf8');
  const written = page
    .split('\n')
    .filter((line) => /^\| `[A-Z]+ /.test(line))
    .map((line) => {
      const [operation, , ...roles] = line.split('|').slice(1, 9);
      return [operation, ...roles].map((cell) => cell?.trim()).join('|');
    });
  assert.deepEqual(written.sort(), expected.sort());
});

for (const operation of MATRIX) {
  const { method, path, body } = operation;
  test(`${method} ${path.replace(/[0-9a-f-]{36}/g, '{id}')}: who may, and who may not`, async () => {
    const options = body === undefined ? {} : { body };
    for (const who of REFUSED) {
      const { status, body: answer, headers } = await ask(who, method, path, options);
      assert.deepEqual(
        [who, status, answer.code, headers.get('www-authenticate')],
        [who, 401, 'unauthenticated', 'Bearer'],
      );
    }
    for (const [who, status] of Object.entries(expectedOf(operation)))
      assert.deepEqual([who, (await ask(who, method, path, options)).status], [who, status]);
  });
}

after(() => {
  const principals = REFUSED.length + 11;
  writeSection(
    13,
    'access',
    `## Access

Each of the ${MATRIX.length} operations that need a key was requested by ${principals} principals, ${REFUSED.length} of whom are let in nowhere
(\`packages/server/test/access/auth.matrix.heavy.test.ts\`): ${MATRIX.length * principals} requests, each with the status that its role is documented to get,
and none to another user's object.`,
    { 'operations, each requested by every principal': MATRIX.length, principals },
  );
});
