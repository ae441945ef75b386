import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { DemoError } from './client.ts';
import { interruption, poll, RING_MS } from './pace.ts';

const MAIN = path.resolve(import.meta.dirname, '../src/start.cjs');
const START_TIMEOUT_MS = 60_000;
const STOP_TIMEOUT_MS = 15_000;
const PROBE_TIMEOUT_MS = 2_000;
// Not the settings of the service: the one started here must not meet anybody's database or provider.
const INHERITED = ['PATH', 'HOME', 'TMPDIR', 'TEMP', 'TMP', 'SystemRoot'];

export interface Service {
  url: string;
  /** Whether the demo started it. */
  isOwn: boolean;
  startedInMs: number;
  /** Stops it, and removes its data, if the demo started it. Throws `DemoError` when it does not stop properly. */
  stop(): Promise<void>;
}

/** The service that answers at `url`, or one started for the demo; `onStart` hears of that beforehand. */
export async function findOrStart(url: string, onStart: () => void): Promise<Service> {
  if (await isSwitchboard(url)) return { url, isOwn: false, startedInMs: 0, stop: async () => {} };
  onStart();
  return startService();
}

async function isSwitchboard(url: string): Promise<boolean> {
  const description = await probe(new URL('/openapi.json', url));
  if (!description?.ok) return false;
  const { info } = (await description.json().catch(() => ({}))) as { info?: { title?: string } };
  if (info?.title !== 'Switchboard') return false;
  const readiness = await probe(new URL('/readyz', url));
  if (!readiness?.ok) throw new DemoError(`The service at ${url} is not ready: ${await readiness?.text()}`);
  return true;
}

function probe(url: URL): Promise<Response | undefined> {
  return fetch(url, { signal: AbortSignal.timeout(PROBE_TIMEOUT_MS) }).catch(() => undefined);
}

async function startService(): Promise<Service> {
  const dir = await mkdtemp(path.join(tmpdir(), 'switchboard-demo-'));
  const port = await freePort();
  const started = performance.now();
  const child = spawn(process.execPath, [MAIN], { env: environment(port, dir), stdio: ['ignore', 'pipe', 'pipe'] });
  const said = collect(child);
  const url = `http://127.0.0.1:${port}`;

  async function stop(): Promise<void> {
    const isRunning = child.exitCode === null && child.signalCode === null;
    if (isRunning) {
      child.kill('SIGTERM');
      await once(child, 'exit', { signal: AbortSignal.timeout(STOP_TIMEOUT_MS) }).catch(() => child.kill('SIGKILL'));
    }
    await rm(dir, { recursive: true, force: true, maxRetries: 5 });
    // On Windows a process that is asked to stop just ends.
    const isClean = child.exitCode === 0 || process.platform === 'win32';
    if (!isClean && !interruption.aborted) {
      throw new DemoError(
        `The service ended with ${child.signalCode ?? `code ${child.exitCode}`}. It said:\n${said()}`,
      );
    }
  }

  try {
    await untilReady(url, child, said);
  } catch (error) {
    await stop().catch(() => {});
    throw error;
  }
  return { url, isOwn: true, startedInMs: performance.now() - started, stop };
}

function environment(port: number, DATA_DIR: string): NodeJS.ProcessEnv {
  const inherited = INHERITED.flatMap((name) => (process.env[name] === undefined ? [] : [[name, process.env[name]]]));
  return {
    ...Object.fromEntries(inherited),
    PORT: String(port),
    DATA_DIR,
    LOG_LEVEL: 'warn',
    SANDBOX_RING_MS: String(RING_MS),
    CALLBACK_ALLOW_PRIVATE: 'true',
  };
}

async function untilReady(url: string, child: ChildProcess, said: () => string): Promise<void> {
  const ready = await poll(async () => {
    if (child.exitCode !== null || child.signalCode !== null)
      throw new DemoError(`The service did not start. It said:\n${said()}`);
    return (await probe(new URL('/readyz', url)))?.ok || undefined;
  }, START_TIMEOUT_MS);
  if (!ready) throw new DemoError(`The service did not start within ${START_TIMEOUT_MS / 1000} s. It said:\n${said()}`);
}

/** Keeps what the service prints, to be shown only if something goes wrong. */
function collect(child: ChildProcess): () => string {
  const chunks: Buffer[] = [];
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk: Buffer) => chunks.push(chunk));
  return () => Buffer.concat(chunks).toString('utf8').trim() || '(nothing)';
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}
