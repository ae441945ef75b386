import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startService } from '@switchboard/testkit/service.ts';
import { createAgentExtractors } from '../../src/calling/analyses/ended.ts';
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
  const agents = [await analysing(service, ['visit']), await analysing(service, ['visit'])];
  const calls = agents.map((agent_id) => ({ agent_id, agent_version: 1 }));
  const remembering = createAgentExtractors(1);
  await remembering.of(service.database.db, calls.slice(0, 1));
  const wanted = await remembering.of(service.database.db, calls);
  assert.deepEqual(
    wanted.map((one) => one?.extractors.map(({ name }) => name)),
    [['visit'], ['visit']],
  );
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
