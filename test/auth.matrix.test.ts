import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { ask, REFUSED, revoked, service } from './support/principals.ts';
import { eventually, startService } from './support/service.ts';

const as = (who: string) => (method: string, path: string, body?: unknown) =>
  ask(who, method, path, body === undefined ? {} : { body });
const agent = (await as('owner')('POST', '/api/agents/', { name: 'Front desk', user_id: 'owner' })).body;
const session = (await as('worker')('POST', '/api/sessions/', { user_id: 'owner', room_name: 'auth-room' })).body;
const corrected = (await as('owner')('POST', '/api/sessions/', { user_id: 'owner' })).body;
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
const usage = {
  session_id: session.id,
  user_id: 'owner',
  provider: 'p',
  event_type: 'llm_tokens',
  quantity: 1,
  unit_cost: 1,
  total_cost: 1,
};

interface Operation {
  method: string;
  path: string;
  body?: unknown;
  /** The status for each role that is let in; service gets the owner's unless given. */
  owner: number;
  service?: number;
  worker: number;
  other: number;
}

/** Every operation under /api and the metrics, with the status each principal gets. */
const MATRIX: Operation[] = [
  { method: 'POST', path: '/api/usage/events', body: usage, owner: 403, service: 201, worker: 201, other: 403 },
  {
    method: 'POST',
    path: '/api/usage/events/batch',
    body: { events: [usage] },
    owner: 403,
    service: 201,
    worker: 201,
    other: 403,
  },
  { method: 'GET', path: `/api/sessions/${session.id}`, owner: 200, worker: 200, other: 404 },
  { method: 'PATCH', path: `/api/sessions/${session.id}`, body: { metadata: {} }, owner: 200, worker: 200, other: 404 },
  {
    method: 'POST',
    path: `/api/sessions/${session.id}/transfer`,
    body: { phone_number: '+15005550101' },
    owner: 409,
    worker: 409,
    other: 404,
  },
  { method: 'POST', path: `/api/sessions/${session.id}/transfer/complete`, owner: 409, worker: 409, other: 404 },
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
  { method: 'GET', path: `/api/calls/${call.call_id}/status`, owner: 200, worker: 200, other: 404 },
  { method: 'GET', path: `/api/calls/${call.call_id}/events`, owner: 200, worker: 403, other: 404 },
  { method: 'POST', path: `/api/calls/${call.call_id}/events/token`, owner: 201, worker: 403, other: 404 },
  { method: 'POST', path: '/api/agents/', body: { name: 'x', user_id: 'owner' }, owner: 201, worker: 403, other: 403 },
  { method: 'GET', path: '/api/agents/', owner: 200, service: 401, worker: 403, other: 200 },
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
  { method: 'GET', path: '/api/costs/summary', owner: 200, service: 401, worker: 403, other: 200 },
  { method: 'GET', path: '/api/costs/by-agent', owner: 200, service: 401, worker: 403, other: 200 },
  { method: 'GET', path: '/api/costs/timeline', owner: 200, service: 401, worker: 403, other: 200 },
  {
    method: 'POST',
    path: '/api/sessions/',
    body: { user_id: 'owner', room_name: 'auth-room' },
    owner: 201,
    worker: 201,
    other: 403,
  },
  { method: 'GET', path: '/api/sessions/', owner: 200, worker: 200, other: 200 },
  { method: 'GET', path: '/api/sessions/by-room/auth-room', owner: 200, worker: 200, other: 404 },
  { method: 'GET', path: `/api/sessions/${session.id}/transcripts`, owner: 200, worker: 200, other: 404 },
  { method: 'GET', path: `/api/sessions/${session.id}/costs`, owner: 200, worker: 403, other: 404 },
  { method: 'GET', path: '/api/calls/', owner: 200, worker: 403, other: 200 },
  { method: 'GET', path: `/api/calls/${call.call_id}`, owner: 200, worker: 200, other: 404 },
  { method: 'POST', path: `/api/calls/${call.call_id}/end`, owner: 200, worker: 403, other: 404 },
  { method: 'GET', path: '/api/telephony/numbers', owner: 200, worker: 403, other: 200 },
  { method: 'GET', path: '/api/telephony/lookup?phone_number=%2B15005550019', owner: 404, worker: 404, other: 404 },
  { method: 'GET', path: '/api/callbacks', owner: 200, worker: 403, other: 200 },
  { method: 'POST', path: `/api/callbacks/${callback.id}/redeliver`, owner: 200, worker: 403, other: 404 },
  {
    method: 'POST',
    path: '/api/callbacks/secret/rotate',
    body: {},
    owner: 200,
    service: 401,
    worker: 403,
    other: 200,
  },
  { method: 'GET', path: '/api/callbacks/secret', owner: 200, service: 401, worker: 403, other: 200 },
  {
    method: 'POST',
    path: '/api/media/token',
    body: { session_id: session.id },
    owner: 201,
    service: 401,
    worker: 403,
    other: 404,
  },
  { method: 'GET', path: '/api/keys', owner: 403, service: 200, worker: 403, other: 403 },
  {
    method: 'POST',
    path: '/api/keys',
    body: { name: 'x', role: 'worker' },
    owner: 403,
    service: 201,
    worker: 403,
    other: 403,
  },
  { method: 'POST', path: `/api/keys/${revoked.id}/revoke`, owner: 403, service: 200, worker: 403, other: 403 },
  { method: 'GET', path: '/api/audit', owner: 403, service: 200, worker: 403, other: 403 },
  { method: 'GET', path: '/metrics', owner: 403, service: 200, worker: 403, other: 403 },
  { method: 'POST', path: '/api/sessions/by-room/auth-room/end', owner: 200, worker: 200, other: 404 },
  { method: 'DELETE', path: `/api/agents/${agent.id}`, owner: 204, service: 404, worker: 403, other: 404 },
  { method: 'DELETE', path: '/api/users/owner', owner: 403, service: 200, worker: 403, other: 403 },
];

test('the matrix has every operation that is published', () => {
  const { paths } = service.app.server.swagger() as { paths: Record<string, Record<string, unknown>> };
  const published = Object.entries(paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
  );
  const open = ['GET /healthz', 'GET /readyz', 'POST /api/media/webhook'];
  assert.equal(MATRIX.length, published.filter((operation) => !open.includes(operation)).length);
});

test('the table of roles in docs/roles.md says what each role may do', () => {
  const templates = Object.keys((service.app.server.swagger() as { paths: object }).paths);
  const templateOf = (concrete: string) =>
    templates.find((template) => {
      const [bare = ''] = concrete.split('?');
      return (
        new RegExp(`^${template.replace(/\{\w+\}/g, '[^/]+')}$`).test(bare) &&
        (bare === template || !templates.includes(bare))
      );
    });
  const mark = (status: number) => (status === 403 ? '' : 'yes');
  const expected = MATRIX.map(({ method, path, owner, service: byService = owner, worker }) =>
    [`\`${method} ${templateOf(path)}\``, mark(byService), mark(worker), mark(owner)].join('|'),
  );
  const page = readFileSync(path.resolve(import.meta.dirname, '../docs/roles.md'), 'utf8');
  const written = page
    .split('\n')
    .filter((line) => line.startsWith('| `'))
    .map((line) =>
      line
        .split('|')
        .slice(1, 5)
        .map((cell) => cell.trim())
        .join('|'),
    );
  assert.deepEqual(written.sort(), expected.sort());
});

const credit = { ...usage, total_cost: '-0.01' };
/** Parts of operations that not all of their roles may use, with the roles that the 403 names. */
const PARTS: [what: string, method: string, path: string, body: object, allowed: string[], named: RegExp][] = [
  ['a usage event', 'POST', '/api/usage/events', usage, ['worker', 'service'], /worker or service/],
  ['a correction', 'POST', '/api/usage/events', credit, ['service'], /role service\./],
  [
    'a correction of a quantity',
    'POST',
    '/api/usage/events',
    { ...usage, quantity: -1 },
    ['service'],
    /role service\./,
  ],
  ['a correction in a batch', 'POST', '/api/usage/events/batch', { events: [usage, credit] }, ['service'], /service\./],
  ['a duration', 'PATCH', `/api/sessions/${corrected.id}`, { duration: 5 }, ['worker', 'service'], /worker or service/],
  [
    'a time of end',
    'PATCH',
    `/api/sessions/${corrected.id}`,
    { ended_at: '2030-01-01T00:00:00Z' },
    ['worker', 'service'],
    /worker or service/,
  ],
];
for (const [what, method, path, body, allowed, named] of PARTS) {
  test(`${what} is written by ${allowed.join(' and ')} alone`, async () => {
    for (const who of ['owner', 'owner by JWT', 'worker', 'service']) {
      const { status, body: answer } = await ask(who, method, path, { body });
      if (allowed.includes(who)) assert.ok(status < 300, `${who}: ${status}`);
      else assert.deepEqual([who, status, answer.code], [who, 403, 'role_not_allowed']);
      // A role that may use the rest of the operation is told of the part.
      if (status === 403) assert.match(answer.detail, who === 'worker' ? named : /role .*service/);
    }
  });
}

test('a zero with a sign is no correction', async () => {
  for (const total_cost of ['-0', '-0.00', '+1', 0])
    assert.equal((await ask('worker', 'POST', '/api/usage/events', { body: { ...usage, total_cost } })).status, 201);
});

test('in open mode anybody writes the ledger and a session’s figures', async () => {
  const open = await startService();
  const { id } = (await open.request('POST', '/api/sessions/', { user: 'u', body: { user_id: 'u' } })).body;
  const event = { ...credit, user_id: 'u' };
  assert.equal((await open.request('POST', '/api/usage/events', { user: 'u', body: event })).status, 201);
  assert.equal((await open.request('PATCH', `/api/sessions/${id}`, { user: 'u', body: { duration: 5 } })).status, 200);
});

for (const { method, path, body, owner, service: byService = owner, worker, other } of MATRIX) {
  test(`${method} ${path.replace(/[0-9a-f-]{36}/g, '{id}')}: who may, and who may not`, async () => {
    const options = body === undefined ? {} : { body };
    for (const who of REFUSED) {
      const { status, body: answer, headers } = await ask(who, method, path, options);
      assert.deepEqual(
        [who, status, answer.code, headers.get('www-authenticate')],
        [who, 401, 'unauthenticated', 'Bearer'],
      );
    }
    assert.deepEqual(['other user', (await ask('other user', method, path, options)).status], ['other user', other]);
    assert.deepEqual(['worker', (await ask('worker', method, path, options)).status], ['worker', worker]);
    assert.deepEqual(['owner', (await ask('owner by JWT', method, path, options)).status], ['owner', owner]);
    assert.deepEqual(['service', (await ask('service', method, path, options)).status], ['service', byService]);
  });
}
