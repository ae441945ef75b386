import type { Item } from './spool.ts';

/** Outcome of an attempt: Switchboard has it; it will never take it; or it may, later. */
export type Outcome =
  | { kind: 'delivered' }
  | { kind: 'refused'; why: string }
  | { kind: 'later'; why: string; retryAfterMs: number };

export type Send = (item: Item, signal: AbortSignal) => Promise<Outcome>;

/**
 * Refusals of the item itself, which repeating does not change. A wrong key (401, 403) is for a person to repair, and
 * the item keeps.
 */
const FINAL = new Set([400, 404, 405, 413, 415, 422]);
const TIMEOUT_MS = 10_000;
const LONGEST_RETRY_AFTER_MS = 10 * 60_000;

/** Sends items to Switchboard by HTTP. */
export function createSend({ url, apiKey }: { url: string; apiKey: string | null }): Send {
  return async function send({ path, body, key }, signal) {
    try {
      const response = await fetch(`${url}${path}`, {
        method: 'POST',
        headers: {
          'idempotency-key': key,
          ...(apiKey && { authorization: `Bearer ${apiKey}` }),
          ...(body !== null && { 'content-type': 'application/json' }),
        },
        // A redirected POST would arrive as a GET.
        redirect: 'error',
        signal: AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]),
        ...(body !== null && { body: JSON.stringify(body) }),
      });
      const text = await response.text();
      if (response.ok) return { kind: 'delivered' };
      const why = `${response.status} ${text.slice(0, 500)}`;
      if (FINAL.has(response.status) || isOver(response.status, text)) return { kind: 'refused', why };
      return { kind: 'later', why, retryAfterMs: retryAfter(response.headers.get('retry-after')) };
    } catch (error) {
      return { kind: 'later', why: reason(error), retryAfterMs: 0 };
    }
  };
}

// Other conflicts pass: an earlier attempt with the same key is still under way.
function isOver(status: number, text: string): boolean {
  return status === 409 && text.includes('"session_ended"');
}

/** Milliseconds of a `Retry-After`, which is in seconds or a date. */
export function retryAfter(header: string | null, now = Date.now()): number {
  if (header === null) return 0;
  const ms = /^\d+$/.test(header) ? Number(header) * 1000 : Date.parse(header) - now;
  return Number.isNaN(ms) ? 0 : Math.min(Math.max(ms, 0), LONGEST_RETRY_AFTER_MS);
}

// The error of `fetch` says "fetch failed"; its cause says why.
function reason(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? `${error.message}: ${error.cause.message}` : error.message;
}
