import { errorOf, SwitchboardError } from './errors.ts';
import type { SwitchboardOptions } from './options.ts';
import { pauseMs, shouldRepeat, sleep, toConnectionError } from './retry.ts';

const TIMEOUT_MS = 30_000;
const MAX_RETRIES = 3;
const RETRY_DELAY_MS = 500;

/** Request options beyond those of `fetch`. */
export interface Policy {
  timeoutMs?: number | undefined;
  maxRetries?: number | undefined;
  /** Returns the response before its body has arrived, which then has no timeout. */
  isStream?: boolean;
}

/** Sends requests with the key, a timeout, and retries where they are safe and useful. */
export function createTransport(options: SwitchboardOptions) {
  const { apiKey, fetch = (request: Request) => globalThis.fetch(request) } = options;
  const tokenOf = typeof apiKey === 'function' ? apiKey : () => apiKey;

  /** One attempt. Throws `SwitchboardError` for an unsuccessful response, and the reason of the request's signal. */
  async function attempt(request: Request, { timeoutMs = options.timeoutMs ?? TIMEOUT_MS, isStream }: Policy) {
    const token = await tokenOf();
    const late = new AbortController();
    const timer = setTimeout(() => late.abort(), timeoutMs);
    try {
      // A redirected POST would arrive as a GET, and the service never redirects.
      const init = { signal: AbortSignal.any([request.signal, late.signal]), redirect: 'error' } as const;
      const sent = new Request(request.clone(), init);
      if (token) sent.headers.set('authorization', `Bearer ${token}`);
      const response = await fetch(sent);
      if (!response.ok) throw await errorOf(request, response);
      return isStream ? response : await whole(response);
    } catch (error) {
      throw error instanceof SwitchboardError ? error : toConnectionError(error, request, late.signal);
    } finally {
      clearTimeout(timer);
    }
  }

  /** The response to a request. Throws `SwitchboardError`, and the reason of the request's signal. */
  return async function send(request: Request, policy: Policy = {}): Promise<Response> {
    const { maxRetries = options.maxRetries ?? MAX_RETRIES } = policy;
    for (let repetition = 0; ; repetition++) {
      try {
        return await attempt(request, policy);
      } catch (error) {
        const isWorthIt = error instanceof SwitchboardError && shouldRepeat(request, error);
        if (!isWorthIt || repetition >= maxRetries) throw error;
        const firstMs = options.retryDelayMs ?? RETRY_DELAY_MS;
        await sleep(pauseMs(repetition, firstMs, error.retryAfterMs), request.signal);
      }
    }
  };
}

// A connection that breaks while the body arrives is a failure of the attempt, rather than of the code that reads it.
async function whole(response: Response): Promise<Response> {
  const { status, statusText, headers } = response;
  if (status === 204) return response;
  return new Response(await response.arrayBuffer(), { status, statusText, headers });
}
