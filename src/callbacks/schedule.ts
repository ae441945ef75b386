/** The last of so many attempts is more than a day after the first. */
const MAX_ATTEMPTS = 20;
const FIRST_PAUSE_S = 5;
const LONGEST_PAUSE_S = 3 * 60 * 60;
/** What a receiver may ask for at most. */
const LONGEST_WISH_S = 24 * 60 * 60;

export function isLastAttempt(attempts: number): boolean {
  return attempts >= MAX_ATTEMPTS;
}

/**
 * Seconds to wait after so many failed attempts: 5 s, doubled each time up to three hours, and up to half as much again, so that
 * receivers that failed together are not asked together. `Retry-After` (RFC 9110, 10.2.3: seconds or a date) makes it longer, never shorter.
 */
export function pauseAfter(attempts: number, retryAfter: string | null, now: Date): number {
  const pause = Math.min(LONGEST_PAUSE_S, FIRST_PAUSE_S * 2 ** (attempts - 1));
  return Math.ceil(Math.max(pause * (1 + Math.random() / 2), wish(retryAfter, now)));
}

function wish(retryAfter: string | null, now: Date): number {
  if (retryAfter === null) return 0;
  const seconds = /^\d{1,9}$/.test(retryAfter) ? Number(retryAfter) : (Date.parse(retryAfter) - now.getTime()) / 1000;
  return Math.min(LONGEST_WISH_S, seconds || 0);
}
