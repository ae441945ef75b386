import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { startService } from '@switchboard/testkit/service.ts';

interface Panel {
  type: string;
  title: string;
  targets?: { expr: string }[];
}

const file = path.resolve(import.meta.dirname, '../../../../deploy/grafana-dashboard.json');
const { panels } = JSON.parse(readFileSync(file, 'utf8')) as { panels: Panel[] };

/** Names of the metrics that a PromQL expression selects: every name with a selector behind it. */
const metricsOf = (expr: string) => [...expr.matchAll(/(\w+?)(?:_count|_bucket)?\{/g)].map(([, name = '']) => name);

test('every panel of the dashboard asks for metrics that the service exports', async () => {
  const service = await startService();
  const { body } = await service.request('GET', '/metrics');
  const charts = panels.filter(({ type }) => type !== 'row');
  assert.ok(charts.length > 10);
  for (const { title, targets = [] } of charts) {
    const names = targets.flatMap(({ expr }) => metricsOf(expr));
    assert.ok(names.length >= targets.length && targets.length > 0, `${title} asks for nothing`);
    // `up` is Prometheus' own.
    for (const name of names.filter((found) => found !== 'up'))
      assert.match(body, new RegExp(`^# TYPE ${name} `, 'm'), `${title}: ${name}`);
  }
});
