import { fork } from 'node:child_process';

/**
 * Has a module answer one message in a process of its own, which a fault may end, and with which everything ends that
 * it has begun. Rejects if the process ends without an answer, or with the reason of the signal.
 */
export async function askApart<T>(
  module: string,
  message: object,
  signal: AbortSignal,
  execArgv = process.execArgv,
): Promise<T> {
  signal.throwIfAborted();
  const child = fork(module, { serialization: 'advanced', stdio: 'ignore', execArgv });
  const { promise, resolve, reject } = Promise.withResolvers<T>();
  const abort = () => reject(signal.reason);
  child.once('message', (answer) => resolve(answer as T));
  child.once('error', reject);
  child.once('exit', (code, cause) => reject(new Error(`The process ended early (${cause ?? code}).`)));
  child.send(message, () => {});
  signal.addEventListener('abort', abort);
  try {
    return await promise;
  } finally {
    signal.removeEventListener('abort', abort);
    child.kill('SIGKILL');
  }
}
