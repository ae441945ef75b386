import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startService } from '@switchboard/testkit/service.ts';

const service = await startService();
const ID = '01980000-0000-7000-8000-000000000000';

/** The specified operations that have no query parameters of their own; the cost reports refuse unknown ones. */
const LENIENT = [
  'POST /api/usage/events',
  'GET /api/sessions/{session_id}',
  'PATCH /api/sessions/{session_id}',
  'POST /api/sessions/{session_id}/transfer',
  'POST /api/sessions/by-room/{room_name}/transcripts',
  'POST /api/calls/outbound',
  'GET /api/calls/{call_id}/status',
  'POST /api/agents/',
  'GET /api/agents/',
  'GET /api/agents/{agent_id}',
  'PATCH /api/agents/{agent_id}',
  'POST /api/telephony/numbers/assign',
  'POST /api/telephony/numbers/release',
  'POST /api/media/webhook',
];

const { paths } = service.app.server.swagger() as { paths: Record<string, Record<string, unknown>> };
for (const [path, methods] of Object.entries(paths).filter(([each]) => each.startsWith('/api/'))) {
  for (const method of Object.keys(methods).map((name) => name.toUpperCase())) {
    const operation = `${method} ${path}`;
    const isLenient = LENIENT.includes(operation);
    test(`${operation} ${isLenient ? 'ignores' : 'refuses'} an unknown query parameter`, async () => {
      const url = `${path.replaceAll(/\{\w+\}/g, ID)}?colour=blue`;
      const { body } = await service.request(method, url, { user: 'user-1', ...(method !== 'GET' && { body: {} }) });
      const problems: { loc: string[]; type: string }[] = Array.isArray(body.detail) ? body.detail : [];
      const found = problems.flatMap(({ loc, type }) => (type === 'extra_forbidden' ? loc.join('.') : []));
      assert.deepEqual(found, isLenient ? [] : ['query.colour']);
    });
  }
}

test('every lenient operation is published', () => {
  const published = Object.entries(paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
  );
  assert.deepEqual(
    LENIENT.filter((operation) => !published.includes(operation)),
    [],
  );
});
