import { fork } from 'node:child_process';
import path from 'node:path';
import type { ScenarioTask } from '@switchboard/client';
import type { Outcome } from '@switchboard/scenarios/outcome';
import type { ModelSettings } from '../conversation/models.ts';

/** How it went, or why the conversations could not be held. */
export type Held = { outcome: Outcome } | { error: string; isRetryable: boolean };

interface Settings {
  models: ModelSettings;
  pricesFile: string | null;
}

/** Megabytes of a conversation and its world, which the scenario decides. */
const MEMORY = '--max-old-space-size=512';

/** Holds conversations in a process of its own: apart from calls, and gone with all that it has begun once aborted. */
export async function holdApart(
  task: ScenarioTask,
  { models, pricesFile }: Settings,
  signal: AbortSignal,
): Promise<Held> {
  const child = fork(path.join(import.meta.dirname, 'process.ts'), {
    serialization: 'advanced',
    stdio: 'ignore',
    execArgv: [...process.execArgv, MEMORY],
  });
  const { promise, resolve } = Promise.withResolvers<Held>();
  const end = (error: string) => resolve({ error, isRetryable: true });
  child.once('message', (held) => resolve(held as Held));
  child.once('error', ({ message }) => end(message));
  child.once('exit', (code, cause) => end(`The process ended early (${cause ?? code}).`));
  child.send({ task, models, pricesFile }, () => {});
  const abort = () => end('The worker stops.');
  signal.addEventListener('abort', abort);
  if (signal.aborted) abort();
  try {
    return await promise;
  } finally {
    signal.removeEventListener('abort', abort);
    child.kill('SIGKILL');
  }
}
