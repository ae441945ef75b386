import underPressure from '@fastify/under-pressure';
import type { FastifyInstance } from 'fastify';
import { AppError } from '../lib/errors.ts';

/** Routes that an operator needs most under overload. */
const ALWAYS = new Set(['/healthz', '/readyz', '/metrics']);
const READING = new Set(['GET', 'HEAD', 'OPTIONS']);
const LOOK_EVERY_MS = 250;
/** One long pause alone, as at the start on a busy machine, is no overload. */
const SAMPLE_MS = 2_000;

export interface Overload {
  /** Mean delay of the event loop, over two seconds, from which on requests are refused. Milliseconds. */
  maxDelayMs: number;
  /** Whether more work waits for the database than it will do in time. */
  isDatabaseBehind(): boolean;
  /** Whether a database that a full disk would stop for good has next to no space left. */
  isDatabaseFull(): boolean;
}

/** Refuses requests early, with 503 and `Retry-After`, while the process or its database cannot keep up. */
export async function registerOverload(
  app: FastifyInstance,
  { maxDelayMs, isDatabaseBehind, isDatabaseFull }: Overload,
): Promise<void> {
  await app.register(underPressure, {
    maxEventLoopDelay: maxDelayMs,
    sampleInterval: SAMPLE_MS,
    healthCheck: async () => !isDatabaseBehind() && !isDatabaseFull(),
    healthCheckInterval: LOOK_EVERY_MS,
    pressureHandler: async (request, _reply, type, delayMs) => {
      if (ALWAYS.has(request.routeOptions.url ?? '')) return;
      // Infinity: not one sample in this time, because the loop stood still for about as long.
      const isUnknown = delayMs === Number.POSITIVE_INFINITY && maxDelayMs > SAMPLE_MS;
      const isSlow = type !== underPressure.TYPE_HEALTH_CHECK && !isUnknown;
      if (isSlow || isDatabaseBehind()) throw new AppError('overloaded');
      if (isDatabaseFull() && !READING.has(request.method)) throw new AppError('database_full');
    },
  });
}
