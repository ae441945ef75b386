import underPressure from '@fastify/under-pressure';
import type { FastifyInstance } from 'fastify';
import { AppError } from '../lib/errors.ts';

/** Routes that operators need during overload. */
const ALWAYS = new Set(['/healthz', '/readyz', '/metrics']);
const READING = new Set(['GET', 'HEAD', 'OPTIONS']);
const POLL_INTERVAL_MS = 250;
/** A single long pause, for example during startup on a busy machine, is not overload. */
const SAMPLE_MS = 2_000;

export interface Overload {
  /** Mean event loop delay over two seconds, in milliseconds, above which requests are refused. */
  maxDelayMs: number;
  /** Whether more queries are queued than the database can handle in time. */
  isDatabaseBehind(): boolean;
  /** Whether a database that a full disk would stop for good is almost out of space. */
  isDatabaseFull(): boolean;
}

/** Load shedding: 503 with `Retry-After` while the process or its database cannot keep up. */
export async function registerOverload(
  app: FastifyInstance,
  { maxDelayMs, isDatabaseBehind, isDatabaseFull }: Overload,
): Promise<void> {
  await app.register(underPressure, {
    maxEventLoopDelay: maxDelayMs,
    sampleInterval: SAMPLE_MS,
    healthCheck: async () => !isDatabaseBehind() && !isDatabaseFull(),
    healthCheckInterval: POLL_INTERVAL_MS,
    pressureHandler: async (request, _reply, type, delayMs) => {
      if (ALWAYS.has(request.routeOptions.url ?? '')) return;
      // Infinity: not a single sample, because the event loop was blocked for about that long.
      const isUnknown = delayMs === Number.POSITIVE_INFINITY && maxDelayMs > SAMPLE_MS;
      const isSlow = type !== underPressure.TYPE_HEALTH_CHECK && !isUnknown;
      if (isSlow || isDatabaseBehind()) throw new AppError('overloaded');
      if (isDatabaseFull() && !READING.has(request.method)) throw new AppError('database_full');
    },
  });
}
