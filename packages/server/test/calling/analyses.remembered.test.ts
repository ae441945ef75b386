import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startService } from '@switchboard/testkit/service.ts';
import { MAX_REMEMBERED } from '../../src/conversations/versions/memo.ts';
import { createVersionMemo } from '../../src/conversations/versions/versions.ts';
import { systemClock } from '../../src/lib/clock.ts';
import { createSandboxMedia } from '../../src/providers/sandbox/media.ts';
import { traceMedia } from '../../src/providers/trace.ts';
import { AT_ONCE, analysed, analysing, endedCall, saveExtractor } from '../support/analyses.ts';

// As with OTEL_EXPORTER_OTLP_ENDPOINT.
const media = traceMedia(createSandboxMedia({ clock: systemClock, ringMs: 1 })) as ReturnType<
  typeof createSandboxMedia
>;

test('what a version names is known also if it is forgotten for another one of the same moment', async () => {
  const service = await startService({ env: AT_ONCE, media });
  await saveExtractor(service, 'visit');
  const agent_id = await analysing(service, ['visit']);
  const known = { agent_id, agent_version: 1 };
  const memo = createVersionMemo(({ extractors }) => extractors);
  const { db } = service.database;
  const wanted = await memo.of(db, known);
  assert.deepEqual(wanted, ['visit@1']);
  assert.equal(memo.of(db, known), wanted);
  const unknown = Array.from({ length: MAX_REMEMBERED }, (_, index) => ({ agent_id, agent_version: index + 2 }));
  const all = await memo.ofAll(db, [known, ...unknown]);
  assert.deepEqual([all.length, all[0], all[1]], [MAX_REMEMBERED + 1, wanted, null]);
  assert.notEqual(memo.of(db, known), wanted);
  await service.close();
});

test('the traced sandbox analyses calls', async () => {
  const service = await startService({ env: AT_ONCE, media });
  await saveExtractor(service, 'visit');
  const { call_id } = await endedCall(service, await analysing(service, ['visit']));
  const [found] = await analysed(service, call_id);
  assert.deepEqual([found?.state, found?.values?.outcome], ['done', 'booked']);
  await service.close();
});
