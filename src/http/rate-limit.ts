import rateLimit from '@fastify/rate-limit';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { AppError } from '../lib/errors.ts';
import { type CountGuess, isPublic } from './caller.ts';

/** Requests a minute, counted by each process for itself. */
export interface RateLimits {
  /** Of one user by its own keys and tokens. */
  user: number;
  /** Of one key of role service or worker, and of one user or address where nobody needs a key. */
  service: number;
}

/** Tokens that are nobody's, a minute and address. Good ones from the same address go on: it may be a proxy's. */
export const MAX_GUESSES = 1000;
const MINUTE_MS = 60_000;
/** Principals and addresses remembered; the least recently seen is forgotten first. */
const REMEMBERED = 100_000;

/** Limits how often each principal may ask (429 with `Retry-After`); what needs no key is not limited. Gives what counts guesses. */
export async function registerRateLimit(app: FastifyInstance, limits: RateLimits): Promise<CountGuess> {
  await app.register(rateLimit, {
    keyGenerator: keyOf,
    max: (request) => (request.principal?.role === 'user' ? limits.user : limits.service),
    timeWindow: MINUTE_MS,
    cache: REMEMBERED,
    allowList: isPublic,
    errorResponseBuilder: (_request, { ttl }) => tooMany(ttl),
  });
  const guesses = app.createRateLimit({ max: MAX_GUESSES, keyGenerator: ({ ip }) => `guess ${ip}`, allowList: [] });
  return async (request) => {
    const counted = await guesses(request);
    if (!counted.isAllowed && counted.isExceeded) throw tooMany(counted.ttl);
  };
}

function keyOf({ principal, caller, ip }: FastifyRequest): string {
  if (principal === null) return `open ${caller ?? ip}`;
  return principal.role === 'user' ? `user ${principal.user_id}` : principal.name;
}

function tooMany(ttlMs: number): AppError {
  return new AppError('too_many_requests', { retry_after_s: Math.max(1, Math.ceil(ttlMs / 1000)) });
}
