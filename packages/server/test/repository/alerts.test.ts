import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { placeCall, reaches } from '@switchboard/testkit/calls.ts';
import { eventually } from '@switchboard/testkit/eventually.ts';
import { startService } from '@switchboard/testkit/service.ts';
import { TaskClaim } from '../../src/work/task-schema.ts';

const read = (file: string) => readFileSync(path.resolve(import.meta.dirname, '../../../..', file), 'utf8');
const rules = read('deploy/alerts.yaml');

test('every metric used by an alert is exported, and every alert is documented', async () => {
  const service = await startService();
  const { body } = await service.request('GET', '/metrics');
  const asked = [...rules.matchAll(/(\w+?)(?:_count|_bucket)?\{job="switchboard"/g)].map(([, name]) => name);
  assert.ok(asked.length > 10);
  for (const name of new Set(asked)) {
    if (name !== 'up') assert.match(body, new RegExp(`^# TYPE ${name} `, 'm'), name);
  }
  const explained = read('docs/operations.md');
  for (const [, alert] of rules.matchAll(/- alert: (\w+)/g)) assert.ok(explained.includes(`\`${alert}\``), alert);
});

test('the alert on slow usage covers each way in which it is logged, and no other operation', () => {
  const { paths } = JSON.parse(read('packages/server/openapi.json')) as {
    paths: Record<string, Record<string, object>>;
  };
  const [, method = '', route = ''] = /method="(\w+)", route=~"(\/api\/usage[^"]*)"/.exec(rules) ?? assert.fail();
  const covered = Object.keys(paths).filter((one) => new RegExp(`^(?:${route})$`).test(one));
  const logging = Object.entries(paths).flatMap(([path, operations]) =>
    Object.values(operations).some((one) => /^logUsage/.test((one as { operationId?: string }).operationId ?? ''))
      ? [path]
      : [],
  );
  assert.deepEqual([method, covered.sort()], ['POST', logging.sort()]);
});

test('overdue work of the service pages, and tasks that workers claim are another alert and row of the page', () => {
  const { enum: kinds } = TaskClaim.properties.kind as unknown as { enum: string[] };
  const named = (matcher: string) =>
    [...rules.matchAll(new RegExp(`work_overdue_seconds\\{job="switchboard", kind${matcher}"([a-z_|]+)"\\}`, 'g'))].map(
      ([, names = '']) => names.split('|').sort(),
    );
  assert.deepEqual(named('!~'), [[...kinds].sort()]);
  assert.deepEqual(named('=~'), [[...kinds].sort()]);
  const row = /^\| `SwitchboardTasksOverdue` \| .*$/m.exec(read('docs/operations.md'))?.[0] ?? assert.fail();
  for (const kind of kinds) assert.ok(row.includes(`\`${kind}\``), kind);
});

test('callbacks that are given up are counted from zero, so that the first ones are growth', async () => {
  const service = await startService();
  const { body } = await service.request('GET', '/metrics');
  for (const outcome of ['delivered', 'failed', 'given_up'])
    assert.match(body, new RegExp(`^callback_attempts_total\\{outcome="${outcome}"\\} 0$`, 'm'));
});

test('the gauges report open calls by status and age, and are zero when there are none', async () => {
  const service = await startService();
  const gauge = async (line: string) => {
    const { body } = await service.request('GET', '/metrics');
    return Number(new RegExp(`^${line} (\\S+)$`, 'm').exec(body)?.[1]);
  };
  assert.equal(await gauge('calls_open{call_status="ANSWERED"}'), 0);
  const { call_id } = await placeCall(service, '+15005550100');
  await reaches(service, call_id, 'ANSWERED');
  assert.equal(await gauge('calls_open{call_status="ANSWERED"}'), 1);
  const age = await gauge('calls_open_oldest_seconds{call_status="ANSWERED"}');
  assert.ok(age > 0 && age < 60, `${age} s`);
  await service.request('POST', `/api/calls/${call_id}/end`);
  // Events of the phone may still be handled.
  for (const line of ['calls_open{call_status="ANSWERED"}', 'callbacks_overdue', 'media_events_unhandled'])
    await eventually(
      () => gauge(line),
      (count) => count === 0,
    );
});
