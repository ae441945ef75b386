import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { systemClock } from '../../src/lib/clock.ts';

const MAIN = path.resolve(import.meta.dirname, '../../src/main.ts');
const READY_MS = 60_000;

/** The service as a process of its own. */
export interface ServiceProcess {
  url: string;
  child: ChildProcess;
  /** Everything it has printed. */
  output(): string;
  /** Ends it with this signal and resolves when it is gone. */
  end(signal: 'SIGKILL' | 'SIGTERM'): Promise<void>;
}

/**
 * Starts the service with this environment alone; resolves when it says it is ready, throws with its output when it
 * ends before.
 */
export async function startProcess(env: Record<string, string>): Promise<ServiceProcess> {
  const child = spawn(process.execPath, [MAIN], {
    env: { PATH: process.env.PATH, HOST: '127.0.0.1', PORT: '0', SANDBOX_RING_MS: '20', LOG_FORMAT: 'json', ...env },
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk));
  const gone = once(child, 'close');
  const deadline = Date.now() + READY_MS;
  for (;;) {
    const url = /ready on (http:\/\/[^\s"]+)/.exec(output)?.[1];
    if (url) {
      const end = async (signal: 'SIGKILL' | 'SIGTERM') => {
        child.kill(signal);
        await gone;
      };
      return { url, child, output: () => output, end };
    }
    if (child.exitCode !== null || Date.now() > deadline) {
      child.kill('SIGKILL');
      throw new Error(`the service did not start: ${output}`);
    }
    await systemClock.sleep(5);
  }
}
