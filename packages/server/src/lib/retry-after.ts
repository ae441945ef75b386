/** Longer delays are capped at a day. */
const LONGEST_S = 24 * 60 * 60;

/** The seconds of a `Retry-After` header (RFC 9110, 10.2.3: seconds or a date), or null if absent or invalid. */
export function retryAfterSeconds(header: unknown, now: Date): number | null {
  if (typeof header !== 'string') return null;
  const seconds = /^\d{1,9}$/.test(header) ? Number(header) : (Date.parse(header) - now.getTime()) / 1000;
  return Number.isNaN(seconds) ? null : Math.min(LONGEST_S, Math.max(0, seconds));
}
