import { Type } from 'typebox';
import { DateTime, nullable } from '../../http/wire.ts';

export const CallbackSecret = Type.Object(
  {
    secret: Type.String(),
    created_at: DateTime,
    previous_expires_at: nullable(
      Type.Unsafe<Date>({
        type: 'string',
        format: 'date-time',
        description: 'Until then earlier secrets also sign: `webhook-signature` contains a signature by each.',
      }),
    ),
  },
  {
    title: 'CallbackSecret',
    examples: [{ secret: 'whsec_…', created_at: '2026-01-15T09:30:00.000Z', previous_expires_at: null }],
    description: 'Verifies the `webhook-signature` header of callbacks (Standard Webhooks).',
  },
);

export const SecretRotation = Type.Object(
  {
    overlap_s: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: 7 * 24 * 60 * 60,
        default: 24 * 60 * 60,
        description: 'Seconds during which the old secret signs as well. 0: it expires at once.',
      }),
    ),
  },
  { title: 'SecretRotation', additionalProperties: false, examples: [{ overlap_s: 86400 }] },
);
