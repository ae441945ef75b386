import cors from '@fastify/cors';
import type { FastifyInstance } from 'fastify';

/** Seconds for which a browser caches a preflight response. */
const MAX_AGE_S = 600;

/**
 * Allows pages of these origins to call the API from a browser; `*` allows any. Credentials are never allowed: pages
 * send their own token, and no cookie of the service.
 */
export async function registerCors(app: FastifyInstance, origins: readonly string[]): Promise<void> {
  if (origins.length === 0) return;
  await app.register(cors, {
    origin: origins.includes('*') ? '*' : [...origins],
    credentials: false,
    methods: ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'],
    allowedHeaders: [
      'authorization',
      'content-type',
      'idempotency-key',
      'if-match',
      'last-event-id',
      'x-request-id',
      'x-user-id',
    ],
    exposedHeaders: ['etag', 'retry-after', 'x-request-id'],
    maxAge: MAX_AGE_S,
  });
}
