/** A request for more than a day counts as a day. */
const LONGEST_S = 24 * 60 * 60;

/**
 * Seconds that a `Retry-After` header asks for (RFC 9110, 10.2.3: seconds or a date), or null without one that can be
 * read.
 */
export function retryAfterSeconds(header: unknown, now: Date): number | null {
  if (typeof header !== 'string') return null;
  const seconds = /^\d{1,9}$/.test(header) ? Number(header) : (Date.parse(header) - now.getTime()) / 1000;
  return Number.isNaN(seconds) ? null : Math.min(LONGEST_S, Math.max(0, seconds));
}
