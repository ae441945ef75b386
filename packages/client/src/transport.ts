import { errorOf, NoKey, SwitchboardError } from './errors.ts';
import type { SwitchboardOptions } from './options.ts';
import { pauseMs, shouldRepeat, sleep, toConnectionError } from './retry.ts';

const TIMEOUT_MS = 30_000;
const MAX_RETRIES = 3;
const RETRY_DELAY_MS = 500;

/** Request options beyond those of `fetch`. */
export interface Policy {
  timeoutMs?: number | undefined;
  maxRetries?: number | undefined;
  /** Sending the request twice is harmless, whatever its method. */
  isRepeatable?: boolean | undefined;
  /** Returns the response before its body has arrived, which then has no timeout. */
  isStream?: boolean;
}

/** Sends requests with the key, a timeout, and retries where they are safe and useful. */
export function createTransport(options: SwitchboardOptions) {
  const { apiKey, fetch = (request: Request) => globalThis.fetch(request) } = options;

  /** One attempt. Throws `SwitchboardError` for an unsuccessful response, and the reason of the request's signal. */
  async function attempt(request: Request, { timeoutMs = options.timeoutMs ?? TIMEOUT_MS, isStream }: Policy) {
    const late = new AbortController();
    const timer = setTimeout(() => late.abort(), timeoutMs);
    try {
      const signal = AbortSignal.any([request.signal, late.signal]);
      const token = typeof apiKey === 'function' ? await askForKey(apiKey, signal) : apiKey;
      // A redirected POST would arrive as a GET, and the service never redirects.
      const sent = new Request(request.clone(), { signal, redirect: 'error' });
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
        const isWorthIt = error instanceof SwitchboardError && shouldRepeat(request, error, policy.isRepeatable);
        if (!isWorthIt || repetition >= maxRetries) throw error;
        const firstMs = options.retryDelayMs ?? RETRY_DELAY_MS;
        await sleep(pauseMs(repetition, firstMs, error.retryAfterMs), request.signal);
      }
    }
  };
}

/** The key, unless the signal fires first. Throws `NoKey`. */
function askForKey(apiKey: () => string | Promise<string>, signal: AbortSignal): Promise<string> {
  return new Promise((resolve, reject) => {
    const stop = () => reject(new NoKey(signal.reason));
    if (signal.aborted) return stop();
    signal.addEventListener('abort', stop, { once: true });
    Promise.resolve()
      .then(apiKey)
      .then(resolve, (cause: unknown) => reject(new NoKey(cause)))
      .finally(() => signal.removeEventListener('abort', stop));
  });
}

// A connection that breaks while the body arrives is a failure of the attempt, rather than of the code that reads it.
async function whole(response: Response): Promise<Response> {
  const { status, statusText, headers } = response;
  if (status === 204) return response;
  return new Response(await response.arrayBuffer(), { status, statusText, headers });
}
