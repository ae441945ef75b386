import rateLimit from '@fastify/rate-limit';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { AppError } from '../lib/errors.ts';
import { createOwnerLimit } from '../lib/owner-limit.ts';
import type { Principal } from '../lib/principal.ts';
import { networkOf } from './addresses.ts';
import { type CountGuess, isPublic } from './caller.ts';

/** Requests a minute, counted per process. */
export interface RateLimits {
  /** For one user, by its own keys and tokens. */
  user: number;
  /** For one key that is bound to no user; in open mode, for one user or address. */
  service: number;
  /** For one address, to endpoints without a key. */
  public: number;
  /** Concurrent requests from one address. */
  inFlight: number;
}

/** Invalid tokens a minute per address. Valid ones from the same address are still accepted: it may be a proxy's. */
export const MAX_GUESSES = 1000;
const MINUTE_MS = 60_000;
/** Principals and addresses remembered (LRU). */
const REMEMBERED = 100_000;

/** Always answered: an operator's probes must not depend on other traffic from their address. */
const UNLIMITED = '/healthz';
/** Sent from one address for all calls, and therefore allowed ten times as often. */
const WEBHOOK = '/api/media/webhook';
const WEBHOOK_TIMES = 10;

/**
 * Limits the rate and the concurrency of each principal and address (429 with `Retry-After`). Returns a function that
 * counts invalid tokens.
 */
export async function registerRateLimit(app: FastifyInstance, limits: RateLimits): Promise<CountGuess> {
  await app.register(rateLimit, {
    keyGenerator: keyOf,
    max: (request) => limitOf(request, limits),
    timeWindow: MINUTE_MS,
    cache: REMEMBERED,
    allowList: ({ routeOptions }) => routeOptions.url === UNLIMITED,
    errorResponseBuilder: (_request, { ttl }) => tooMany(ttl),
  });
  registerConcurrency(app, limits.inFlight);
  const guesses = app.createRateLimit({
    max: MAX_GUESSES,
    keyGenerator: ({ ip }) => `guess ${networkOf(ip)}`,
    allowList: [],
  });
  return async (request) => {
    const counted = await guesses(request);
    if (!counted.isAllowed && counted.isExceeded) throw tooMany(counted.ttl);
  };
}

/** Event streams have a limit of their own. */
function registerConcurrency(app: FastifyInstance, limit: number): void {
  const inFlight = createOwnerLimit(limit);
  app.addHook('onRequest', ({ ip, routeOptions }, reply, done) => {
    if (routeOptions.url === UNLIMITED || routeOptions.config.stream) {
      done();
      return;
    }
    const network = networkOf(ip);
    if (!inFlight.take(network)) throw tooMany(1000);
    reply.raw.on('close', () => inFlight.giveBack(network));
    done();
  });
}

function limitOf(request: FastifyRequest, limits: RateLimits): number {
  if (isPublic(request)) return limits.public * (request.routeOptions.url === WEBHOOK ? WEBHOOK_TIMES : 1);
  return isOfUser(request.principal) ? limits.user : limits.service;
}

function keyOf(request: FastifyRequest): string {
  const { principal, caller } = request;
  const network = networkOf(request.ip);
  if (isPublic(request)) return request.routeOptions.url === WEBHOOK ? `webhook ${network}` : `public ${network}`;
  if (principal === null) return `open ${caller ?? network}`;
  return isOfUser(principal) ? `user ${principal.user_id}` : principal.name;
}

/** A worker reports calls as fast as they come, whether its key is bound to a user or not. */
const isOfUser = (principal: Principal | null) =>
  principal !== null && principal.user_id !== null && principal.role !== 'worker';

function tooMany(ttlMs: number): AppError {
  return new AppError('too_many_requests', { retry_after_s: Math.max(1, Math.ceil(ttlMs / 1000)) });
}
