import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { openTestDatabase } from '@switchboard/testkit/database.ts';
import { eventually } from '@switchboard/testkit/eventually.ts';
import { startService } from '@switchboard/testkit/service.ts';
import { loadConfig } from '../../src/config.ts';
import { reconcilerLeaseMs } from '../../src/ops/maintenance/reconcile.ts';

const PAGE = readFileSync(path.resolve(import.meta.dirname, '../../../../docs/operations.md'), 'utf8');
const INTERVAL_MS = 1_000;
/** For the statements of a round on a busy machine. */
const ROUND_MS = 3_000;

/** The longest time after a death in which nobody reconciles, apart from the duration of a round. */
const takeoverMs = (intervalMs: number) => reconcilerLeaseMs(intervalMs) + intervalMs;

test('the page says how long it takes until another replica reconciles', () => {
  const { reconcileIntervalMs } = loadConfig({});
  assert.match(
    PAGE,
    new RegExp(`three times the interval and a second \\(${takeoverMs(reconcileIntervalMs) / 1000} s\\)`),
  );
});

test('when the replica that reconciles is gone, another takes over within that time', async (t) => {
  const database = await openTestDatabase();
  t.after(database.close);
  const env = { RECONCILE_INTERVAL_MS: String(INTERVAL_MS) };
  const holder = async () =>
    (await database.db.selectFrom('leases').selectAll().where('name', '=', 'reconcile').executeTakeFirst())?.holder;
  const first = await startService({ database, env });
  const before = await eventually(holder, (name) => name !== undefined);
  const second = await startService({ database, env });
  await first.close();
  const gone = performance.now();
  await eventually(holder, (name) => name !== before);
  const tookMs = performance.now() - gone;
  assert.ok(tookMs < takeoverMs(INTERVAL_MS) + ROUND_MS, `${tookMs} ms`);
  await second.close();
});
