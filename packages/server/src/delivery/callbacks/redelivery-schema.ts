import { Type } from 'typebox';
import { DateTimeInput, Id } from '../../http/wire.ts';

/** Maximum callbacks per redelivery request. */
export const MAX_REDELIVERED = 1000;

export const Redelivery = Type.Object(
  {
    ids: Type.Optional(
      Type.Array(Id, {
        minItems: 1,
        maxItems: MAX_REDELIVERED,
        description: 'These callbacks, whatever their status.',
      }),
    ),
    failed_since: Type.Optional({
      ...DateTimeInput,
      description: 'All failed callbacks created since then, oldest first.',
    }),
  },
  {
    title: 'Redelivery',
    additionalProperties: false,
    description: 'Either `ids` or `failed_since`.',
    examples: [{ failed_since: '2026-01-15T00:00:00.000Z' }, { ids: ['01980000-0000-7000-8000-000000000003'] }],
  },
);

export const Redelivered = Type.Object(
  {
    redelivered: Type.Integer({ description: 'Number of callbacks that are pending again.' }),
    not_found: Type.Array(Id, {
      description:
        'Those in `ids` that are unknown, malformed, another user’s, or of a webhook endpoint that is deleted or inactive.',
    }),
    has_more: Type.Boolean({ description: 'Whether more have failed since then: repeat the request.' }),
  },
  { title: 'Redelivered', examples: [{ redelivered: 12, not_found: [], has_more: false }] },
);
