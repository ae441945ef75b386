import type { FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { sha256 } from '../../lib/canonical-json.ts';
import type { Idempotency } from './idempotency.ts';

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

/** The request's `Idempotency-Key`, scoped to its caller and operation; null without one. */
export function idempotencyOf(request: FastifyRequest): Idempotency | null {
  const key = request.headers['idempotency-key'];
  if (typeof key !== 'string') return null;
  const { url, method } = request.routeOptions;
  const fingerprint = sha256(JSON.stringify([request.params, request.body]));
  const { caller, principal } = request;
  const scopeOf = (apiKey: string | null) => `${method} ${url} ${JSON.stringify([apiKey, caller])}`;
  // The API key is not part of the scope: it may be rotated between two attempts.
  const former_scope = principal === null || principal.user_id !== null ? null : scopeOf(principal.name);
  return { scope: scopeOf(null), former_scope, key, fingerprint };
}
