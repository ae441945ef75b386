import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';

/** Ports of this machine that were free a moment ago. */
async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  return port;
}

test('a worker that is not registered says so with a 503, and ends when it is asked to', {
  timeout: 60_000,
}, async (t) => {
  const spool = await mkdtemp(path.join(tmpdir(), 'switchboard-health-'));
  t.after(() => rm(spool, { recursive: true, force: true }));
  const [port, nobody] = [await freePort(), await freePort()];
  const worker = spawn(process.execPath, ['worker.ts'], {
    cwd: path.resolve(import.meta.dirname, '..'),
    stdio: 'ignore',
    env: {
      ...{ PATH: process.env.PATH, HOME: process.env.HOME, LIVEKIT_URL: `ws://127.0.0.1:${nobody}` },
      ...{ LIVEKIT_API_KEY: 'key', LIVEKIT_API_SECRET: 'secret', LIVEKIT_AGENT_NAME: 'nobody' },
      ...{ WORKER_PORT: String(port), SPOOL_DIR: spool, WORKER_DRAIN_S: '0', LOG_LEVEL: 'fatal' },
    },
  });
  t.after(() => worker.kill('SIGKILL'));
  const statusOf = (route: string) =>
    fetch(`http://127.0.0.1:${port}${route}`).then(
      ({ status }) => status,
      () => null,
    );
  while ((await statusOf('/worker')) !== 200) await sleep(50);
  assert.equal(await statusOf('/'), 503);
  const exit = once(worker, 'exit');
  worker.kill('SIGTERM');
  assert.deepEqual(await exit, [0, null]);
});
