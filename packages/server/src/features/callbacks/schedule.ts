import { retryAfterSeconds } from '../../lib/retry-after.ts';

/** The last of so many attempts is more than a day after the first. */
const MAX_ATTEMPTS = 20;
const FIRST_PAUSE_S = 5;
const LONGEST_PAUSE_S = 3 * 60 * 60;

export function isLastAttempt(attempts: number): boolean {
  return attempts >= MAX_ATTEMPTS;
}

/**
 * Seconds to wait after so many failed attempts: 5 s, doubled each time up to three hours, and up to half as much
 * again, so that receivers that failed together are not asked together. `Retry-After` makes it longer, never shorter.
 */
export function pauseAfter(attempts: number, retryAfter: string | null, now: Date): number {
  const pause = Math.min(LONGEST_PAUSE_S, FIRST_PAUSE_S * 2 ** (attempts - 1));
  return Math.ceil(Math.max(pause * (1 + Math.random() / 2), retryAfterSeconds(retryAfter, now) ?? 0));
}
