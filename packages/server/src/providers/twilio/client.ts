import { Agent } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import twilio from 'twilio';
import type RequestClient from 'twilio/lib/base/RequestClient.js';
import { retryAfterSeconds } from '../../lib/retry-after.ts';
import { ProviderError } from '../provider-error.ts';

interface Access {
  accountSid: string;
  authToken: string;
  /** Replaces Twilio's API hosts, for a stand-in or a proxy. */
  baseUrl: string | undefined;
  /** Milliseconds for the whole operation, including all of its requests and retries. */
  timeoutMs: number;
}

const CREDENTIALS_REFUSED =
  'The carrier refuses the credentials of the service. Correct TWILIO_ACCOUNT_SID and TWILIO_AUTH_TOKEN.';

/** How often a request is sent while Twilio answers 429. */
const TRIES = 3;

/** A client for one operation, with a time limit. Every failure is thrown as a `ProviderError`. */
export function twilioFor(operation: string, { accountSid, authToken, baseUrl, timeoutMs }: Access): twilio.Twilio {
  const httpClient = new Transport(operation, baseUrl, timeoutMs);
  return twilio(accountSid, authToken, { httpClient });
}

class Transport extends twilio.RequestClient {
  readonly #operation: string;
  readonly #baseUrl: string | undefined;
  readonly #deadline: number;
  readonly #signal: AbortSignal;

  constructor(operation: string, baseUrl: string | undefined, timeoutMs: number) {
    // No keep-alive: these requests are rare, and the server would have closed most connections.
    super({ keepAlive: false });
    // The SDK's option covers HTTPS only: a connection to an HTTP proxy was reused although the proxy had closed it.
    this.axios.defaults.httpAgent = new Agent({ keepAlive: false });
    this.#operation = operation;
    this.#baseUrl = baseUrl?.replace(/\/+$/, '');
    this.#deadline = performance.now() + timeoutMs;
    this.#signal = AbortSignal.timeout(timeoutMs);
    // The SDK's own timeout restarts with every request and every byte.
    this.axios.interceptors.request.use((config) => Object.assign(config, { signal: this.#signal, timeout: 0 }));
  }

  override async request<T>(options: RequestClient.RequestOptions<T>) {
    const response = await this.#send({ ...options, uri: this.#address(options.uri) }).catch((error) => {
      throw this.#unanswered(error);
    });
    if (!isAnswer(response, options.method)) throw this.#refused(response);
    return response;
  }

  /** The SDK has no option for this: it calls api.twilio.com and trunking.twilio.com, whose paths never collide. */
  #address(uri: string): string {
    if (this.#baseUrl === undefined) return uri;
    const { pathname, search } = new URL(uri);
    return `${this.#baseUrl}${pathname}${search}`;
  }

  /** Retries on 429. The SDK's own retry ignores `Retry-After`. */
  async #send<T>(options: RequestClient.RequestOptions<T>) {
    for (let tried = 1; ; tried++) {
      const response = await super.request(options);
      if (response.statusCode !== 429 || tried === TRIES) return response;
      const pauseMs = pauseBefore(tried, response.headers['retry-after']);
      if (performance.now() + pauseMs >= this.#deadline) return response;
      await pause(pauseMs, undefined, { signal: this.#signal });
    }
  }

  /**
   * An axios error contains the request with its Authorization header, and causes are logged: only code and message
   * are kept.
   */
  #unanswered({ code, message }: NodeJS.ErrnoException): ProviderError {
    const failure = this.#signal.aborted ? 'provider_timeout' : 'provider_unavailable';
    return this.#error(failure, `${code}: ${message}`, { retryable: true });
  }

  #refused({ statusCode, body, headers }: { statusCode: number; body: unknown; headers: object }): ProviderError {
    const { code, message } = (body ?? {}) as { code?: unknown; message?: unknown };
    const provider_code = typeof code === 'number' ? String(code) : null;
    const refused = statusCode >= 400 && statusCode < 500 && statusCode !== 429;
    const said = provider_code === null ? 'not in the words of its API' : `${provider_code} ${message}`;
    const reason = `HTTP ${statusCode}, ${said}`;
    if (refused) {
      const detail = statusCode === 401 ? CREDENTIALS_REFUSED : undefined;
      return this.#error('provider_refused', reason, { retryable: false, provider_code, detail });
    }
    const asked_s = retryAfterSeconds((headers as Record<string, unknown>)['retry-after'], new Date());
    const retry_after_s = asked_s === null ? undefined : Math.max(1, Math.ceil(asked_s));
    return this.#error('provider_unavailable', reason, { retryable: true, provider_code, retry_after_s });
  }

  #error(
    code: 'provider_refused' | 'provider_unavailable' | 'provider_timeout',
    reason: string,
    about: {
      retryable: boolean;
      provider_code?: string | null;
      detail?: string | undefined;
      retry_after_s?: number | undefined;
    },
  ): ProviderError {
    const operation = this.#operation;
    const cause = new Error(`Twilio, ${operation}: ${reason}`);
    return new ProviderError(code, { ...about, provider: 'twilio', operation, cause });
  }
}

// A proxy's error page may have any status, and the SDK would read missing fields from it. A deletion has no content
// (204).
function isAnswer({ statusCode, body }: { statusCode: number; body: unknown }, method: string): boolean {
  if (statusCode < 200 || statusCode >= 300) return false;
  return method === 'delete' ? statusCode === 204 : typeof body === 'object' && body !== null;
}

/** Milliseconds, from the header or else by exponential backoff from about half a second. */
function pauseBefore(retry: number, retryAfter: unknown): number {
  const seconds = retryAfterSeconds(retryAfter, new Date());
  return seconds === null ? 250 * 2 ** retry * (0.5 + Math.random()) : seconds * 1000;
}
