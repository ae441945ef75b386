import { fork } from 'node:child_process';
import path from 'node:path';
import type { ProviderCheckCreate, ProviderCheckResult } from '@switchboard/client';
import type { ModelSettings } from '../conversation/models.ts';

export type Checked = Omit<ProviderCheckResult, 'worker'>;

/** Shorter than the service waits, and longer than a check takes. */
const WITHIN_MS = 25_000;
const ENDED: Checked = { outcome: 'failed', reason: 'error', detail: 'The check has ended early.', latency_ms: null };

/** Checks a model in a process of its own, which a fault in a plugin may end, and which ends whatever it has begun. */
export async function checkApart(
  asked: ProviderCheckCreate,
  models: ModelSettings,
  stopping?: AbortSignal,
): Promise<Checked> {
  const child = fork(path.join(import.meta.dirname, 'process.ts'), { serialization: 'advanced', stdio: 'ignore' });
  const { promise, resolve } = Promise.withResolvers<Checked>();
  child.once('message', (checked) => resolve(checked as Checked));
  child.once('error', () => resolve(ENDED));
  child.once('exit', () => resolve(ENDED));
  child.send({ asked, models }, () => {});
  const stop = () => resolve({ ...ENDED, detail: 'The worker stops.' });
  stopping?.addEventListener('abort', stop);
  const timer = setTimeout(resolve, WITHIN_MS, { ...ENDED, reason: 'timeout' });
  try {
    return await promise;
  } finally {
    clearTimeout(timer);
    stopping?.removeEventListener('abort', stop);
    child.kill('SIGKILL');
  }
}
