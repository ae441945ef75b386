import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import { request } from '@switchboard/testkit/client.ts';
import { eventually } from '@switchboard/testkit/eventually.ts';
import { missingMediaServer, startMediaServer } from '@switchboard/testkit/media-server.ts';
import { freePorts } from '@switchboard/testkit/ports.ts';
import { startProcess } from '@switchboard/testkit/service-process.ts';

const ROUNDS = 10;
const missing = missingMediaServer();
const skip = missing === null ? false : `not on this machine: ${missing}`;

test('a media server without SIP is an error that is logged once, not in every round', { skip }, async (t) => {
  const [port = 0] = await freePorts(1);
  const media = await startMediaServer(port);
  const DATA_DIR = await mkdtemp(path.join(tmpdir(), 'switchboard-'));
  t.after(() => rm(DATA_DIR, { recursive: true, force: true }));
  t.after(media.stop);
  const service = await startProcess({
    DATA_DIR,
    PORT: String(port),
    LIVEKIT_URL: media.url,
    LIVEKIT_API_KEY: media.apiKey,
    LIVEKIT_API_SECRET: media.apiSecret,
    LIVEKIT_SIP_TRUNK_ID: 'ST_none',
    LIVEKIT_AGENT_NAME: 'nobody',
    CALLING_COUNTRIES: 'US',
    RECONCILE_INTERVAL_MS: '100',
  });
  t.after(() => service.end('SIGKILL'));
  await eventually(
    async () => (await request(service.url, { path: '/metrics' })).body,
    (text) => Number(/upkeep_rounds_total{task="numbers",outcome="failed"} (\d+)/.exec(text)?.[1]) >= ROUNDS,
  );
  const errors = service.output().match(/^.*"level":50.*$/gm);
  assert.equal(errors?.length, 1, errors?.join('\n'));
  assert.match(errors?.[0] ?? '', /maintenance task failed/);
  assert.equal(await service.end('SIGTERM'), 0);
});
