import path from 'node:path';
import type { ProviderCheckCreate, ProviderCheckResult } from '@switchboard/client';
import type { ModelSettings } from '../conversation/models.ts';
import { askApart } from '../tasks/apart.ts';

export type Checked = Omit<ProviderCheckResult, 'worker'>;

/** Shorter than the service waits, and longer than a check takes. */
const WITHIN_MS = 25_000;
const MODULE = path.join(import.meta.dirname, 'process.ts');
const ENDED: Checked = { outcome: 'failed', reason: 'error', detail: 'The check has ended early.', latency_ms: null };

/** Checks a model in a process of its own. */
export async function checkApart(
  asked: ProviderCheckCreate,
  models: ModelSettings,
  stopping?: AbortSignal,
): Promise<Checked> {
  const late = AbortSignal.timeout(WITHIN_MS);
  try {
    return await askApart(MODULE, { asked, models }, stopping ? AbortSignal.any([late, stopping]) : late);
  } catch {
    if (stopping?.aborted) return { ...ENDED, detail: 'The worker stops.' };
    return late.aborted ? { ...ENDED, reason: 'timeout' } : ENDED;
  }
}
