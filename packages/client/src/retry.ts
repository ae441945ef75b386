import { SwitchboardError } from './errors.ts';

const LONGEST_PAUSE_MS = 8_000;
/** Longer delays are not waited for: the caller sees `retryAfterMs`. */
export const LONGEST_RETRY_AFTER_MS = 60_000;

const REPEATABLE_METHODS = new Set(['GET', 'HEAD', 'PUT', 'DELETE']);
const PASSING_STATUSES = new Set([408, 429, 500, 502, 503, 504]);
/** Permanent refusals, although their status is retryable. */
const FINAL_CODES = new Set([
  'provider_refused',
  'provider_answer_invalid',
  'transfer_failed',
  'database_full',
  'turn_unanswered',
]);

/** Whether a repeated request has the same effect as a single one. */
function isRepeatable({ method, headers }: Request): boolean {
  return REPEATABLE_METHODS.has(method) || headers.has('idempotency-key');
}

/** Whether the same request may succeed later. */
export function isPassing({ code, status }: SwitchboardError): boolean {
  if (code === 'network_error' || code === 'timeout') return true;
  // An earlier attempt is still in progress.
  if (code === 'idempotency_in_progress') return true;
  return status !== null && PASSING_STATUSES.has(status) && !FINAL_CODES.has(code);
}

/** Whether a request that failed with this error is worth retrying and safe to retry. */
export function shouldRepeat(request: Request, error: SwitchboardError, isHarmless = isRepeatable(request)): boolean {
  if ((error.retryAfterMs ?? 0) > LONGEST_RETRY_AFTER_MS) return false;
  // A 429 was not processed, whatever its method.
  return isPassing(error) && (isHarmless || error.status === 429);
}

/** The delay before a retry, with jitter so that many clients do not return at the same moment. */
export function pauseMs(attempt: number, firstMs: number, retryAfterMs: number | null): number {
  const backoff = Math.min(firstMs * 2 ** Math.min(attempt, 20), LONGEST_PAUSE_MS);
  if (retryAfterMs === null) return backoff * (0.5 + Math.random() / 2);
  return retryAfterMs + (Math.random() * backoff) / 2;
}

/** Waits; rejects with the signal's reason when it fires. */
export function sleep(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason);
    const stop = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop);
      resolve();
    }, ms);
    signal?.addEventListener('abort', stop, { once: true });
  });
}

/** Wraps whatever `fetch` has thrown; the reason of the caller's own signal is passed on. */
export function toConnectionError(error: unknown, request: Request, timeout: AbortSignal | null): unknown {
  if (request.signal.aborted) return request.signal.reason;
  const where = `${request.method} ${request.url.split('?')[0]}`;
  if (timeout?.aborted) return new SwitchboardError('timeout', `${where}: no answer in time`, { cause: error });
  // The error of `fetch` says "fetch failed"; its cause says why.
  const { message, cause } = error instanceof Error ? error : new Error(String(error));
  const why = cause instanceof Error && cause.message ? `${message}: ${cause.message}` : message;
  return new SwitchboardError('network_error', `${where}: ${why}`, { cause: error });
}
