import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type TestContext, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';

/** Local ports that were free a moment ago. */
async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  return port;
}

test('a worker that is not registered returns 503, and stops on SIGTERM', {
  timeout: 60_000,
}, async (t) => {
  const { worker, url } = await startWorker(t);
  assert.equal(await statusOf(`${url}/`), 503);
  assert.equal(await statusOf(`${url}/metrics`), 404);
  const exit = once(worker, 'exit');
  worker.kill('SIGTERM');
  assert.deepEqual(await exit, [0, null]);
});

test('the status page counts refused reports, and a command sends them again', {
  timeout: 60_000,
}, async (t) => {
  const { url, spool, env } = await startWorker(t);
  const outbox = async () => ((await (await fetch(`${url}/worker`)).json()) as { outbox: object }).outbox;
  assert.deepEqual(await outbox(), { waiting: 0, failing: 0, refused: 0, uncertain: 0 });
  const item = { operation: 'endSessionByRoom', args: ['a-room'] };
  const file = `call-1.000000000007.${crypto.randomUUID()}.json`;
  await writeFile(path.join(spool, 'refused', file), JSON.stringify(item));
  assert.deepEqual(await outbox(), { waiting: 0, failing: 0, refused: 1, uncertain: 0 });
  const run = (...args: string[]) =>
    spawnSync(process.execPath, ['outbox.ts', ...args], { cwd: WORKER_DIR, env, encoding: 'utf8' });
  assert.match(run().stdout, /: 0 to be sent \(0 that Switchboard fails at\), 1 in refused\/, 0 in uncertain\/$/m);
  assert.match(run('resend').stdout, /^1 put back, to be sent again$/m);
  // Nothing accepts it.
  assert.deepEqual(await outbox(), { waiting: 1, failing: 0, refused: 0, uncertain: 0 });
  assert.equal(run('remove').status, 2);
});

const WORKER_DIR = path.resolve(import.meta.dirname, '..');

async function statusOf(url: string): Promise<number | null> {
  return fetch(url).then(
    ({ status }) => status,
    () => null,
  );
}

/** A worker without a media server, and without Switchboard. */
async function startWorker(t: TestContext) {
  const spool = await mkdtemp(path.join(tmpdir(), 'switchboard-health-'));
  t.after(() => rm(spool, { recursive: true, force: true }));
  const [port, nobody] = [await freePort(), await freePort()];
  const env = {
    PATH: process.env.PATH,
    HOME: process.env.HOME,
    LIVEKIT_URL: `ws://127.0.0.1:${nobody}`,
    LIVEKIT_API_KEY: 'key',
    LIVEKIT_API_SECRET: 'secret',
    LIVEKIT_AGENT_NAME: 'nobody',
    SWITCHBOARD_URL: `http://127.0.0.1:${nobody}`,
    WORKER_PORT: String(port),
    SPOOL_DIR: spool,
    WORKER_DRAIN_S: '0',
    LOG_LEVEL: 'fatal',
  };
  const worker = spawn(process.execPath, ['worker.ts'], {
    cwd: WORKER_DIR,
    stdio: 'ignore',
    env,
  });
  t.after(() => worker.kill('SIGKILL'));
  const url = `http://127.0.0.1:${port}`;
  while ((await statusOf(`${url}/worker`)) !== 200) await sleep(50);
  return { worker, url, spool, env };
}
