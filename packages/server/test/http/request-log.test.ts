import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eventually } from '@switchboard/testkit/eventually.ts';
import { startService } from '@switchboard/testkit/service.ts';
import { createRequestLog, MAX_REFUSALS_LOGGED } from '../../src/http/request-log.ts';
import { createLogger } from '../../src/lib/log.ts';

const MORE = 50;

test('a flood of broken bodies does not fill the log: a hundred refusals of a route are logged in a minute, and all counted', async () => {
  const service = await startService();
  const broken = () => service.request('POST', '/api/agents/', { body: '{"x' });
  for (let sent = 0; sent < MAX_REFUSALS_LOGGED + MORE; sent++) assert.equal((await broken()).status, 422);
  assert.equal((await service.request('GET', '/api/agents/', { user: 'ada' })).status, 200);
  const lines = service.logged().map((line) => JSON.parse(line));
  const requests = lines.filter(({ msg }) => msg === 'request');
  assert.equal(requests.filter(({ status }) => status === '422').length, MAX_REFUSALS_LOGGED);
  assert.equal(requests.filter(({ status }) => status === '200').length, 1);
  const { body } = await service.request('GET', '/metrics');
  const [, count] = /^http_request_duration_seconds_count\{[^}]*status="422"[^}]*\} (\d+)$/m.exec(body) ?? [];
  assert.equal(Number(count), MAX_REFUSALS_LOGGED + MORE);
});

test('when the minute is over one line says how many more were refused, and refusals are logged again', async () => {
  const lines: Record<string, unknown>[] = [];
  const destination = { write: (line: string) => void lines.push(JSON.parse(line)) };
  const log = createLogger({ level: 'info', pretty: false, destination });
  const logRequest = createRequestLog(100);
  const refuse = () => logRequest(log, log, { method: 'POST', route: '/api/agents/', status: '422' }, 1);
  for (let sent = 0; sent < MAX_REFUSALS_LOGGED + MORE; sent++) refuse();
  const summary = () => Promise.resolve(lines.filter(({ requests }) => requests !== undefined));
  const [line] = await eventually(summary, (found) => found.length === 1);
  assert.deepEqual([line?.requests, line?.route, line?.status], [MORE, '/api/agents/', '422']);
  const before = lines.length;
  refuse();
  assert.equal(lines.length, before + 1);
});
