import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { freePort } from '@switchboard/testkit/ports.ts';
import { startProgram } from '@switchboard/testkit/program.ts';
import { DemoError } from './client.ts';
import { interruption, RING_MS } from './pace.ts';

const MAIN = path.resolve(import.meta.dirname, '../packages/server/src/start.cjs');
const STOP_TIMEOUT_MS = 15_000;
const PROBE_TIMEOUT_MS = 2_000;
// Isolated settings: the service started here must not use an existing database or provider.
const INHERITED = ['PATH', 'HOME', 'TMPDIR', 'TEMP', 'TMP', 'SystemRoot'];

export interface Service {
  url: string;
  /** Whether the demo started it. */
  isOwn: boolean;
  startedInMs: number;
  /** Stops it and removes its data if the demo started it. Throws `DemoError` if it does not stop properly. */
  stop(): Promise<void>;
}

/** The service at `url`, or one started for the demo; `onStart` is called before. */
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
  const program = startProgram([process.execPath, MAIN], { env: environment(port, dir) });
  const url = `http://127.0.0.1:${port}`;

  async function stop(): Promise<void> {
    const late = setTimeout(() => program.end('SIGKILL'), STOP_TIMEOUT_MS);
    const ended = await program.end('SIGTERM');
    clearTimeout(late);
    await rm(dir, { recursive: true, force: true, maxRetries: 5 });
    // On Windows a process that is asked to stop ends immediately.
    const isClean = ended === 0 || process.platform === 'win32';
    if (!isClean && !interruption.aborted)
      throw new DemoError(`The service ended with ${ended}. It said:\n${program.output().trim() || '(nothing)'}`);
  }

  try {
    await program.until(() => isReady(url)).catch(explain);
  } catch (error) {
    await stop().catch(() => {});
    throw error;
  }
  return { url, isOwn: true, startedInMs: performance.now() - started, stop };
}

async function isReady(url: string): Promise<boolean> {
  interruption.throwIfAborted();
  return (await probe(new URL('/readyz', url)))?.ok ?? false;
}

function explain(error: Error): never {
  if (interruption.aborted) throw error;
  throw new DemoError(`The service did not start: ${error.message}`);
}

function environment(port: number, DATA_DIR: string): NodeJS.ProcessEnv {
  const inherited = INHERITED.flatMap((name) => (process.env[name] === undefined ? [] : [[name, process.env[name]]]));
  return {
    ...Object.fromEntries(inherited),
    PORT: String(port),
    DATA_DIR,
    LOG_LEVEL: 'warn',
    SANDBOX_RING_MS: String(RING_MS),
    SANDBOX_CONVERSATIONS: '0',
    CALLBACK_ALLOW_PRIVATE: 'true',
  };
}
