import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createTestClock } from '@switchboard/testkit/clock.ts';
import { startService } from '@switchboard/testkit/service.ts';
import { MAX_OPEN_RUNS } from '../../src/calling/test-runs/schema.ts';
import { createSandboxMedia } from '../../src/providers/sandbox/media.ts';
import { claim, complete, library, save, scenario, send, served, start } from '../support/tests.ts';

const HOUR_MS = 60 * 60_000;

test('a user has up to three open test runs, however many are started at once', async () => {
  const service = await served();
  const agent_id = await library(service);
  const run = { agent_id, agent_version: 1, scenarios: [await save(service, scenario('opens'))] };
  const begun = await Promise.all(Array.from({ length: 10 }, () => send(service, 'POST', '/api/test-runs', run)));
  const of = (status: number) => begun.filter((answer) => answer.status === status).length;
  assert.deepEqual([of(201), of(429)], [MAX_OPEN_RUNS, 10 - MAX_OPEN_RUNS]);
  await service.close();
});

test('a run goes on as long as workers begin or end one of its scenarios every day', async () => {
  const clock = createTestClock();
  const { runScenario: _, ...media } = createSandboxMedia({ clock, ringMs: 20 });
  const service = await startService({ media, clock });
  const scenarios: string[] = [];
  for (const name of ['one', 'two', 'three']) scenarios.push(await save(service, scenario(name)));
  const { id } = await start(service, { agent_id: await library(service), scenarios });
  const pass = async (hours: number) => {
    clock.advance(hours * HOUR_MS);
    await service.app.reconcile();
    return (await send(service, 'GET', `/api/test-runs/${id}`)).body;
  };
  assert.equal((await pass(23)).status, 'queued');
  const [one = assert.fail()] = await claim(service, { capacity: 1 });
  assert.equal((await pass(2)).status, 'running', 'one was begun two hours ago');
  assert.equal((await complete(service, one)).status, 200);
  assert.equal((await pass(23)).status, 'running', 'one has ended 23 hours ago');
  const given = await pass(2);
  assert.deepEqual([given.status, given.passed, given.invalid], ['invalid', 1, 2]);
  await service.close();
});
