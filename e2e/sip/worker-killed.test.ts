import assert from 'node:assert/strict';
import { watch } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { eventually } from '@switchboard/testkit/eventually.ts';
import { query } from '@switchboard/testkit/postgres.ts';
import { verifyRollups } from '@switchboard/testkit/rollups.ts';
import { missingVoice, startVoice } from '@switchboard/testkit/voice.ts';
import { installWorker } from '@switchboard/testkit/worker.ts';
import { makeSpool, startWorker } from '../support/worker.ts';
import { closeAfterwards } from '../support/worker-lab.ts';
import { PORTS } from './support/network.ts';
import { FULL, setUp } from './support/setup.ts';
import { isEnded, untilAgentJoined } from './support/switchboard.ts';

const ROUNDS = FULL ? 20 : 4;
const CALLS = 2;
/** Maximum pause before a kill: a few sentences of the agent. */
const TALK_MS = 6_000;
const missing = missingVoice();
if (missing) {
  test('the worker and the service are killed', { skip: missing }, () => {});
} else {
  await installWorker();
  const { lab, databaseUrl, startService } = await setUp();
  const opened = closeAfterwards();
  const voice = await startVoice();
  opened.push(voice.stop);
  const agentName = 'lab-voice';
  const start = () => startService({ PORT: '8001', LIVEKIT_AGENT_NAME: agentName });
  let service = await start();
  const spool = await makeSpool();
  opened.push(spool.remove);
  const startIt = () =>
    startWorker(
      { ...lab, webhookPort: PORTS.service },
      {
        agentName,
        switchboardUrl: service.url,
        apiKey: '',
        spoolDir: spool.dir,
        env: { MODEL_BASE_URLS: voice.url, PRICES_FILE: path.join(import.meta.dirname, '../support/prices.json') },
      },
    );
  let worker = await startIt();
  opened.push(() => worker.kill());

  /** Keys of everything that was ever in the spool, by kind of report. */
  const keys = { talk: new Set<string>(), usage: new Set<string>() };
  const watcher = watch(spool.dir, (_event, file) => {
    const [, kind, key = ''] = /(talk|usage)(?:@\w+)?\.\d{12}\.([\w-]{36})(?:\.\d+)?\.json$/.exec(file ?? '') ?? [];
    if (kind === 'talk' || kind === 'usage') keys[kind].add(key);
  });
  opened.push(async () => watcher.close());

  test('whatever is killed while agents talk, each line and each use that was written down is booked once', async () => {
    const silence = { timeout_s: 0.5, message: 'Are you still there? I can wait.', max_prompts: 50 };
    const created = await service.post('/api/agents', {
      name: 'Front desk',
      user_id: 'user-1',
      type: 'PIPELINE',
      config: { ...voice.config, greeting: 'Welcome to the library.', silence },
    });
    assert.equal(created.status, 201, JSON.stringify(created.body));
    for (let round = 0; round < ROUNDS; round++) {
      const calls = await Promise.all(
        Array.from({ length: CALLS }, () => service.call('answers', { agent_id: created.body.id })),
      );
      for (const call of calls) await untilAgentJoined(lab, call);
      await sleep(Math.random() * TALK_MS);
      if (round % 2 === 0) {
        await worker.kill();
        worker = await startIt();
      } else {
        await service.end('SIGKILL');
        await sleep(Math.random() * 2_000);
        service = await start();
      }
      for (const { call_id } of calls) await service.post(`/api/calls/${call_id}/end`);
      for (const { call_id } of calls) await eventually(() => service.detail(call_id), isEnded, 60_000);
    }
    await eventually(
      () => worker.waiting(),
      (files) => files.length === 0,
      60_000,
    );
    const [booked] = await query<Record<'lines' | 'uses', string>>(
      databaseUrl,
      `select (select count(*) from transcripts) as lines,
        (select count(*) from usage_events where provider = 'local') as uses`,
    );
    assert.deepEqual(booked, { lines: String(keys.talk.size), uses: String(keys.usage.size) });
    assert.ok(keys.talk.size > ROUNDS * CALLS && keys.usage.size > ROUNDS * CALLS, 'the agents talked');
    verifyRollups({ DATABASE_URL: databaseUrl });
  });
}
