import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createTestClock } from '@switchboard/testkit/clock.ts';
import { openTestDatabase } from '@switchboard/testkit/database.ts';
import { Type } from 'typebox';
import { createLogger } from '../../src/lib/log.ts';
import { createMetrics } from '../../src/lib/metrics.ts';
import type { Kind } from '../../src/work/kinds.ts';
import { createRunner } from '../../src/work/runner.ts';
import { createWork } from '../../src/work/work.ts';

test('work whose payload another release has stored differently is not begun, and waits', async (t) => {
  const { db, close } = await openTestDatabase();
  t.after(close);
  const done: string[] = [];
  const Payload = Type.Object({ url: Type.String() });
  const errand: Kind<typeof Payload> = {
    payload: Payload,
    run: async ({ payload }) => {
      done.push(payload.url);
      return null;
    },
  };
  const log = createLogger({ level: 'silent', pretty: false });
  const base = { db, clock: createTestClock(), log, metrics: createMetrics() };
  const runner = createRunner({ ...base, intervalMs: 3_600_000, kinds: () => ({ errand }) });
  const work = createWork({ ...base, wake: runner.wake });
  await work.add(db, [
    { kind: 'errand', key: 'fits', payload: { url: 'a' } },
    { kind: 'errand', key: 'other', payload: { address: 'a' } },
  ]);
  await runner.round();
  assert.deepEqual(done, ['a']);
  const [row, ...others] = await db.selectFrom('work').selectAll().execute();
  assert.deepEqual([row?.key, row?.attempts, others], ['other', 1, []]);
  assert.match(row?.last_error ?? '', /payload/);
});
