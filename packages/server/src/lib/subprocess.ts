import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/** A process took more time or memory than it may. */
export class Overrun extends Error {
  constructor(limit: string) {
    super(`It took more than ${limit}.`);
    this.name = 'Overrun';
  }
}

/**
 * Runs a module in a process of its own, sends it `data`, and returns the first message that it sends: for work whose
 * time and memory a user decides. A thread without memory would end the whole process. Throws `Overrun` beyond the
 * limits.
 */
export function inSubprocess<T>(module: URL, data: object, limits: { ms: number; megabytes: number }): Promise<T> {
  const child = fork(fileURLToPath(module), {
    env: {},
    execArgv: [`--max-old-space-size=${limits.megabytes}`],
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  });
  const { promise, resolve, reject } = Promise.withResolvers<T>();
  const timer = setTimeout(() => reject(new Overrun(`${limits.ms / 1000} s`)), limits.ms);
  child.on('message', (message) => resolve(message as T));
  child.on('error', reject);
  child.on('exit', (_code, signal) =>
    reject(signal ? new Overrun(`${limits.megabytes} MB of memory`) : new Error('It ended without a result.')),
  );
  child.send(data);
  return promise.finally(() => {
    clearTimeout(timer);
    child.kill('SIGKILL');
  });
}
