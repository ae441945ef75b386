import { createHash } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import type { Idempotency } from './idempotency.ts';

/** The header of operations that may be repeated safely. */
export const IdempotencyHeader = {
  'idempotency-key': Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 255,
      description: 'A request repeated under the same key within 24 hours gets the first response.',
    }),
  ),
};

/** The request's `Idempotency-Key`, scoped to its caller and operation; null without one. */
export function idempotencyOf(request: FastifyRequest): Idempotency | null {
  const key = request.headers['idempotency-key'];
  if (typeof key !== 'string') return null;
  const { url, method } = request.routeOptions;
  const fingerprint = createHash('sha256')
    .update(JSON.stringify([request.params, request.body]))
    .digest('hex');
  return { scope: `${method} ${url} ${callerOf(request)}`, key, fingerprint };
}

/**
 * A user is the same by whatever key or token; the keys of workers and services, whoever they act for, have nothing in
 * common.
 */
function callerOf({ caller, principal }: FastifyRequest): string {
  const key = principal === null || principal.role === 'user' ? null : principal.name;
  return JSON.stringify([key, caller]);
}
