import { retryAfterSeconds } from '../../lib/retry-after.ts';

/** With the backoff below, the last attempt is more than a day after the first. */
const MAX_ATTEMPTS = 20;
const FIRST_PAUSE_S = 5;
const LONGEST_PAUSE_S = 3 * 60 * 60;

/**
 * Backoff in seconds after this many failures since the event, or its redelivery: 5 s, doubled each time up to three
 * hours, plus up to 50 % jitter; null after the last attempt. `Retry-After` can only extend it.
 */
export function pauseAfter(attempts: number, retryAfter: string | null, now: Date): number | null {
  if (attempts >= MAX_ATTEMPTS) return null;
  const pause = Math.min(LONGEST_PAUSE_S, FIRST_PAUSE_S * 2 ** (attempts - 1));
  return Math.ceil(Math.max(pause * (1 + Math.random() / 2), retryAfterSeconds(retryAfter, now) ?? 0));
}
