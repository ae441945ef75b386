import { setTimeout as sleep } from 'node:timers/promises';

export const DAY_MS = 24 * 60 * 60 * 1000;

/** The service's clock; tests inject their own. */
export interface Clock {
  now(): Date;
  /** Resolves after `ms` milliseconds; rejects with an AbortError when `signal` fires first. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
}

export const systemClock: Clock = {
  now: () => new Date(),
  sleep: (ms, signal) => sleep(ms, undefined, signal ? { signal } : undefined),
};
