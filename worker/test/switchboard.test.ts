import assert from 'node:assert/strict';
import { mkdtemp, readdir, readFile, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { WorkerJob } from '@switchboard/client';
import { openOutbox } from '@switchboard/client/outbox';
import { readPrices } from '../switchboard/prices.ts';
import { createSwitchboard } from '../switchboard/switchboard.ts';

test('a disk that fails for a moment loses nothing of a call, and one that does not recover does not hold up its end', {
  timeout: 60_000,
}, async (t) => {
  const dir = path.join(await mkdtemp(path.join(tmpdir(), 'spool-')), 'spool');
  t.after(() => rm(path.dirname(dir), { recursive: true }));
  const [warnings, errors]: [string[], string[]] = [[], []];
  let lost = 0;
  const switchboard = createSwitchboard({
    call: { room_name: 'room', session_id: 's', user_id: 'u', agent_id: 'a' } as WorkerJob,
    outbox: await openOutbox(dir),
    prices: readPrices(null),
    job_id: 'job',
    lost: () => lost++,
    log: {
      warn: (_details: object, text: string) => void warnings.push(text),
      error: (_details: object, text: string) => void errors.push(text),
    },
  });
  function tell(): void {
    switchboard.transcript('USER', 'Goodbye.');
    switchboard.usage({ provider: 'p', model: 'm', unit: 'llm_tokens', quantity: '1' } as never);
    switchboard.turn({ transcript_ms: 1 } as never);
    switchboard.outcome({ answered_by: 'human' } as never);
    switchboard.end();
  }
  await rename(dir, `${dir}.away`);
  tell();
  while (warnings.length < 3) await sleep(10);
  await sleep(100);
  assert.equal(warnings.length, 3, 'once for each lane');
  await rename(`${dir}.away`, dir);
  await switchboard.settled();
  const names = (await readdir(dir)).filter((name) => name.endsWith('.json')).sort();
  const operations = await Promise.all(
    names.map(async (name) => JSON.parse(await readFile(path.join(dir, name), 'utf8')).operation),
  );
  const talk = ['addTranscript', 'reportCallOutcome', 'endSessionByRoom'];
  assert.deepEqual(operations, [...talk, 'reportTurns', 'logUsageEvents']);
  assert.deepEqual(errors, []);

  await rename(dir, `${dir}.away`);
  tell();
  const startedAt = performance.now();
  await switchboard.settled();
  const took = performance.now() - startedAt;
  assert.ok(took > 2_000 && took < 5_000, `${took} ms`);
  assert.deepEqual(errors, Array(5).fill('writing to the outbox failed: a report is LOST'));
  assert.equal(lost, 5);
});
