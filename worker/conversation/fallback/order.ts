import { AsyncLocalStorage } from 'node:async_hooks';
import { APIConnectionError, APITimeoutError } from '@livekit/agents';
import type { FailedOver, FailOverReason } from '@switchboard/client';
import { providerName } from '../providers.ts';

export const REASONS: readonly FailOverReason[] = ['error', 'timeout', 'rate_limit'];

/** When the next model of a list takes over. */
export interface FailOver {
  on: readonly FailOverReason[];
  /** The longest wait for the first token or sound of an answer, and for the next one. */
  firstTokenMs: number;
}

export interface Policy extends FailOver {
  kind: FailedOver['kind'];
  report: (failedOver: FailedOver) => void;
}

/** A model that has failed is asked after all others for this long, so that one that is down delays one answer only. */
const REST_MS = 30_000;

interface Model {
  /** Speech-to-speech models report errors at their sessions. */
  on?(event: 'error', listener: (one: { error: unknown; recoverable: boolean }) => void): unknown;
  readonly provider?: string;
  readonly model?: string;
}

/** The request of a stream to one model, with the error that the library reports for it. */
interface Attempt {
  error?: unknown;
}

/** The models of a list in the order in which they are asked, and what their failures mean. */
export function createOrder<T extends Model>(models: readonly T[], policy: Policy) {
  const restsUntil = new Map<T, number>();
  // A model reports errors of all its requests to the same listeners: the asynchronous context says whose it is.
  const attempts = new AsyncLocalStorage<Attempt>();
  for (const model of models)
    model.on?.('error', ({ error, recoverable }) => {
      const attempt = attempts.getStore();
      if (attempt && !recoverable) attempt.error = error;
    });

  const rests = (model: T) => (restsUntil.get(model) ?? 0) > Date.now();

  return {
    /** Starts a request by `open`; its error goes into `attempt`. */
    begin: <R>(attempt: Attempt, open: () => R): R => attempts.run(attempt, open),
    /**
     * Asks one model after the other until `ask` succeeds. Throws the last error, and one that is no reason to go on.
     */
    async each(ask: (model: T, attempt: Attempt, isLast: boolean) => Promise<void>): Promise<void> {
      const order = [...models.filter((model) => !rests(model)), ...models.filter(rests)];
      let failed: { model: T; reason: FailOverReason; error: unknown } | null = null;
      for (const model of order) {
        if (failed) policy.report({ kind: policy.kind, ...names(failed.model, model), reason: failed.reason });
        try {
          await ask(model, {}, model === order.at(-1));
          restsUntil.delete(model);
          return;
        } catch (error) {
          const reason = reasonOf(error);
          restsUntil.set(model, Date.now() + REST_MS);
          if (!policy.on.includes(reason)) throw error;
          failed = { model, reason, error };
        }
      }
      throw failed?.error ?? new APIConnectionError({ message: 'no model' });
    },
  };
}

function names(from: Model, to: Model): { from: string; to: string } {
  const name = (model: Model) => `${providerName(model.provider)}/${model.model ?? 'unknown'}`;
  return { from: name(from), to: name(to) };
}

export function reasonOf(error: unknown): FailOverReason {
  if (error instanceof APITimeoutError || (error instanceof Error && error.name === 'TimeoutError')) return 'timeout';
  // Some plugins pass the error of their SDK on as it is.
  const { statusCode, status } = (error ?? {}) as { statusCode?: number; status?: number };
  if ((statusCode ?? status) === 429) return 'rate_limit';
  if ([408, 504].includes(statusCode ?? status ?? 0)) return 'timeout';
  return 'error';
}

/** The next item of a stream; throws after so many milliseconds without one. */
export async function nextWithin<T>(stream: AsyncIterator<T>, ms: number): Promise<IteratorResult<T>> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new APITimeoutError({ message: `nothing for ${ms} ms` })), ms);
  });
  try {
    return await Promise.race([stream.next(), late]);
  } finally {
    clearTimeout(timer);
  }
}

/** Requests are not repeated at the same model: the next one is there for that. */
export function once(timeoutMs: number) {
  return { maxRetry: 0, retryIntervalMs: 0, timeoutMs };
}
