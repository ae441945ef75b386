import { Type } from 'typebox';
import { PageQuery } from '../../http/paging.ts';
import { CallbackUrl, DateTime, Id, nullable } from '../../http/wire.ts';
import { WebhookEventType } from './schema.ts';

const Events = Type.Unsafe<string[] | null>(
  nullable(
    Type.Array(WebhookEventType, {
      minItems: 1,
      maxItems: 64,
      description: 'The types of events to send. Null: all, including those of later versions.',
    }),
  ),
);

export const WebhookEndpoint = Type.Object(
  {
    id: Id,
    user_id: Type.String(),
    url: Type.String(),
    events: Events,
    is_active: Type.Boolean(),
    disabled_at: nullable({
      ...DateTime,
      description:
        'Since when nothing is sent because the receiver answered 410. Updating the endpoint resumes delivery.',
    }),
    created_at: DateTime,
    updated_at: DateTime,
  },
  {
    title: 'WebhookEndpoint',
    examples: [
      {
        id: '01980000-0000-7000-8000-000000000005',
        user_id: 'user-1',
        url: 'https://example.com/hooks',
        events: ['call.report'],
        is_active: true,
        disabled_at: null,
        created_at: '2026-01-15T09:30:00.000Z',
        updated_at: '2026-01-15T09:30:00.000Z',
      },
    ],
  },
);

export const WebhookEndpointCreate = Type.Object(
  { url: CallbackUrl, events: Type.Optional(Events), is_active: Type.Optional(Type.Boolean({ default: true })) },
  {
    title: 'WebhookEndpointCreate',
    additionalProperties: false,
    examples: [{ url: 'https://example.com/hooks', events: ['call.report'] }],
  },
);

export const WebhookEndpointUpdate = Type.Object(
  {
    url: Type.Optional(CallbackUrl),
    events: Type.Optional(Events),
    is_active: Type.Optional(Type.Boolean()),
  },
  { title: 'WebhookEndpointUpdate', additionalProperties: false, examples: [{ is_active: false }] },
);

export const WebhookEndpointListQuery = Type.Object(PageQuery, { additionalProperties: false });
