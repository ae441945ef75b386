import type { FastifyInstance, FastifyRequest } from 'fastify';
import { AppError } from '../lib/errors.ts';

export const SAFE_METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS']);

/**
 * CSRF protection: a browser attaches the cookie by itself, and sends the page's origin in `Origin`. Throws
 * `origin_not_allowed`.
 */
export function assertSameOrigin(request: FastifyRequest, origin: 'required' | 'optional'): void {
  const { protocol, host, headers } = request;
  if (headers.origin === undefined && origin === 'optional') return;
  if (headers.origin !== `${protocol}://${host}`) throw new AppError('origin_not_allowed');
}

/**
 * Rejects changes requested by pages of other origins than `origins`, for open mode, where a request needs no
 * credentials. A browser asks for permission (CORS) before it sends JSON or a header of ours, but not before it sends
 * a POST without a body.
 */
export function registerOrigins(app: FastifyInstance, origins: readonly string[]): void {
  const allowed = new Set(origins);
  app.addHook('onRequest', ({ method, host, headers }, _reply, done) => {
    const { origin } = headers;
    if (origin === undefined || SAFE_METHODS.has(method) || allowed.has(origin) || allowed.has('*')) return done();
    // A proxy may have changed the Host header; pages cannot set this one.
    if (headers['sec-fetch-site'] === 'same-origin' || hostOf(origin) === host.toLowerCase()) return done();
    throw new AppError('origin_not_allowed');
  });
}

/** The host and port of an origin; null for `null`, which a page can make its browser send. */
function hostOf(origin: string): string | null {
  return URL.canParse(origin) ? new URL(origin).host : null;
}
