import type { FastifyInstance, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { createFingerprints, type Fingerprints } from './fingerprints.ts';
import type { Idempotency } from './idempotency.ts';

declare module 'fastify' {
  interface FastifyInstance {
    fingerprintOf: Fingerprints;
  }
}

/** The header of idempotent operations. */
export const IdempotencyHeader = {
  'idempotency-key': Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 255,
      description:
        'A request repeated under the same key within 24 hours gets the first response, whichever API key sends it.',
    }),
  ),
};

/** Has `idempotencyOf` make the fingerprints of requests with the keys of SECRETS_KEY. */
export function registerIdempotency(app: FastifyInstance, secretsKeys: string[]): void {
  app.decorate('fingerprintOf', createFingerprints(secretsKeys));
}

/** The request's `Idempotency-Key`, scoped to its caller and operation; null without one. */
export function idempotencyOf(request: FastifyRequest): Idempotency | null {
  const key = request.headers['idempotency-key'];
  if (typeof key !== 'string') return null;
  const { url, method } = request.routeOptions;
  const fingerprint = request.server.fingerprintOf(JSON.stringify([request.params, request.body]));
  const { caller, principal } = request;
  const scopeOf = (apiKey: string | null) => `${method} ${url} ${JSON.stringify([apiKey, caller])}`;
  // The API key is not part of the scope: it may be rotated between two attempts.
  const former_scope = principal === null || principal.user_id !== null ? null : scopeOf(principal.name);
  return { scope: scopeOf(null), former_scope, key, fingerprint };
}
