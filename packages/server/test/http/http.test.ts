import assert from 'node:assert/strict';
import http from 'node:http';
import { test } from 'node:test';
import { startService } from '@switchboard/testkit/service.ts';
import { createSandboxCarrier } from '../../src/providers/sandbox/carrier.ts';
import { assertRefused } from '../support/answers.ts';
import { logUsage } from '../support/usage.ts';

const service = await startService();
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

/** Asks for a path exactly as it is written; fetch would rewrite it. */
function getRaw(path: string): Promise<{ status: number; headers: http.IncomingHttpHeaders; text: string }> {
  return new Promise((resolve, reject) => {
    http
      .get(service.url, { path }, (response) => {
        let text = '';
        response.on('data', (chunk) => {
          text += chunk;
        });
        response.on('end', () => resolve({ status: response.statusCode ?? 0, headers: response.headers, text }));
      })
      .on('error', reject);
  });
}

test('an unknown operation is a 404 in the common error format', async () => {
  for (const [method, path] of [
    ['POST', '/'],
    ['GET', '/api'],
    ['GET', '/api/unknown'],
    ['GET', '/api/agents/x/y'],
    ['PUT', '/api/agents/'],
    ['DELETE', '/api/usage/events'],
    ['GET', '/API/AGENTS/'],
  ] as const) {
    const answer = await service.request(method, path, { user: 'user-1' });
    assertRefused(answer, 404, 'route_not_found');
    assert.deepEqual(Object.keys(answer.body).sort(), ['code', 'detail']);
  }
});

test('the root redirects to the console', async () => {
  const { status, headers } = await service.request('GET', '/');
  assert.deepEqual([status, headers.get('location')], [302, '/console']);
});

test('an unknown operation is a 404 whatever its body', async () => {
  assertRefused(await service.request('POST', '/api/unknown', { body: '{"broken' }), 404, 'route_not_found');
  const text = await service.request('POST', '/api/unknown', { body: 'x', headers: { 'content-type': 'text/plain' } });
  assertRefused(text, 404, 'route_not_found');
});

test('a malformed URL is a 404', async () => {
  for (const path of [
    '/api/agents/%zz',
    '/api/agents/%',
    '/api/sessions/by-room/%ff/transcripts',
    '/%zz',
    '/api/agents/%ED%A0%80',
  ]) {
    const { status, text, headers } = await getRaw(path);
    assert.equal(status, 404, path);
    assert.equal(JSON.parse(text).code, 'route_not_found', path);
    assert.match(headers['content-type'] ?? '', /^application\/json/, path);
  }
});

test('an id of the maximum URL length is a 404', async () => {
  for (const length of [100, 5_000, 10_000]) {
    assert.equal((await getRaw(`/api/agents/${'x'.repeat(length)}`)).status, 404);
  }
});

test('a sent request id is returned with every kind of response', async () => {
  const headers = { 'x-request-id': 'trace:1.2_3-4' };
  for (const path of ['/healthz', '/api/unknown', '/api/agents/no-id', '/api/agents/', '/openapi.json', '/metrics']) {
    assert.equal((await service.request('GET', path, { headers })).headers.get('x-request-id'), 'trace:1.2_3-4', path);
  }
  const invalid = await service.request('POST', '/api/agents/', { headers, body: '{' });
  assert.equal(invalid.headers.get('x-request-id'), 'trace:1.2_3-4');
});

test('a request without an id, or with one that is unsafe to log, gets a new one', async () => {
  const given = new Set<string | null>();
  for (const id of [undefined, '', 'x'.repeat(129), 'a b', '"quoted"', 'ünïcode']) {
    const { headers } = await service.request(
      'GET',
      '/healthz',
      id === undefined ? {} : { headers: { 'x-request-id': id } },
    );
    assert.match(headers.get('x-request-id') ?? '', UUID);
    given.add(headers.get('x-request-id'));
  }
  assert.equal(given.size, 6);
});

test('a malformed URL has a request id as well', async () => {
  assert.match((await getRaw('/api/agents/%zz')).headers['x-request-id']?.toString() ?? '', UUID);
});

test('HEAD answers as GET does, without a body', async () => {
  for (const [path, status] of [
    ['/healthz', 200],
    ['/api/agents/no-id', 404],
    ['/api/agents/', 401],
    ['/api/unknown', 404],
  ] as const) {
    const response = await fetch(`${service.url}${path}`, { method: 'HEAD' });
    assert.deepEqual([response.status, await response.text()], [status, ''], path);
  }
});

test('OPTIONS is a 404', async () => {
  assertRefused(await service.request('OPTIONS', '/api/agents/'), 404, 'route_not_found');
});

test('/healthz says that the process is alive', async () => {
  const { status, body } = await service.request('GET', '/healthz');
  assert.deepEqual([status, body], [200, { status: 'ok' }]);
});

test('/readyz reports the database, its schema and the providers', async () => {
  const { status, body } = await service.request('GET', '/readyz');
  const providers = { media: { name: 'sandbox', status: 'ok' }, carrier: { name: 'sandbox', status: 'ok' } };
  const { id: installation } = await service.database.db
    .selectFrom('installation')
    .select('id')
    .executeTakeFirstOrThrow();
  const kinds = ['chat_turn', 'scenario', 'analysis', 'provider_check', 'function_check'];
  const workers = Object.fromEntries(kinds.map((kind) => [kind, 'simulated']));
  const parts = { database: 'ok', migrations: 'ok', installation, providers, workers };
  assert.deepEqual([status, body], [200, { status: 'ok', ...parts }]);
});

test('/readyz reports an unreachable provider and stays 200', async () => {
  const away = { ...createSandboxCarrier(), ping: () => Promise.reject(new Error('away')) };
  const own = await startService({ carrier: away });
  const { status, body } = await own.request('GET', '/readyz');
  assert.deepEqual([status, body.status, body.providers.carrier.status], [200, 'ok', 'unreachable']);
  const [logged = ''] = own.logged().filter((line) => line.includes('a provider cannot be used'));
  assert.match(logged, /"message":"away"/);
});

test('/metrics counts requests by route and status, never by URL', async () => {
  await service.request('GET', '/api/agents/some-id');
  await service.request('GET', '/api/no-such-thing');
  await logUsage(service, { event_type: 'stt_minutes' });
  const { status, headers, body } = await service.request('GET', '/metrics');
  assert.equal(status, 200);
  assert.match(headers.get('content-type') ?? '', /^text\/plain/);
  const names = ['http_request_duration_seconds', 'calls_ended_total', 'usage_events_total', 'callback_attempts_total'];
  for (const name of [...names, 'db_pool_connections']) assert.match(body, new RegExp(`^# TYPE ${name} `, 'm'));
  assert.match(
    body,
    /^http_request_duration_seconds_count\{method="GET",route="\/api\/agents\/:agent_id",status="404"\} \d+$/m,
  );
  assert.match(body, /^http_request_duration_seconds_count\{method="GET",route="unknown",status="404"\} \d+$/m);
  assert.match(body, /^usage_events_total\{event_type="stt_minutes"\} 1$/m);
  assert.match(body, /^db_pool_connections\{state="total"\} \d+$/m);
  assert.ok(!body.includes('some-id') && !body.includes('no-such-thing'));
});

test('a user id of more than 255 characters is refused as a problem of its header', async () => {
  const { status, body } = await service.request('GET', '/api/agents/', { user: 'x'.repeat(256) });
  assert.equal(status, 422);
  assert.deepEqual(body.detail[0].loc, ['header', 'x-user-id']);
});
