import type { FastifyRequest } from 'fastify';
import { Type } from 'typebox';

/** The header of changes that are only valid for the version that the client has read. */
export const IfMatchHeader = {
  'if-match': Type.Optional(
    Type.String({
      maxLength: 1024,
      description: 'The `ETag` of the state that the change is for, in quotes.',
    }),
  ),
};

/** The entity tag of a resource. */
export const etagOf = ({ updated_at }: { updated_at: Date }) => `"${updated_at.toISOString()}"`;

/** The states that the request's `If-Match` allows; null: any. Weak tags match none (RFC 9110). */
export function versionsOf({ headers }: FastifyRequest): string[] | null {
  const tags = headers['if-match']?.split(',').map((tag) => tag.trim());
  if (!tags || tags.includes('*')) return null;
  return tags.flatMap((tag) => /^"(.*)"$/.exec(tag)?.[1] ?? []);
}
