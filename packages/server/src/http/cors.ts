import cors from '@fastify/cors';
import type { FastifyInstance } from 'fastify';

/** Seconds that a browser remembers the answer to a preflight. */
const MAX_AGE_S = 600;

/**
 * Lets web pages of these origins call the API from a browser; `*` is any. Credentials are never allowed: a page shows
 * a token of its own, and no cookie of the service is sent along.
 */
export async function registerCors(app: FastifyInstance, origins: readonly string[]): Promise<void> {
  if (origins.length === 0) return;
  await app.register(cors, {
    origin: origins.includes('*') ? '*' : [...origins],
    credentials: false,
    methods: ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'],
    allowedHeaders: ['authorization', 'content-type', 'idempotency-key', 'last-event-id', 'x-request-id', 'x-user-id'],
    exposedHeaders: ['retry-after', 'x-request-id'],
    maxAge: MAX_AGE_S,
  });
}
