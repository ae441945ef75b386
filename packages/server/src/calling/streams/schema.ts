import { Type } from 'typebox';
import { DateTime } from '../../http/wire.ts';

export const StreamToken = Type.Object(
  {
    token: Type.String(),
    expires_at: DateTime,
    events_url: Type.String({ description: 'Path and query of the stream, relative to the service.' }),
  },
  {
    title: 'StreamToken',
    examples: [
      {
        token: 'sbs_…',
        expires_at: '2026-01-15T10:30:00.000Z',
        events_url: '/api/calls/01980000-0000-7000-8000-000000000001/events?token=sbs_…',
      },
    ],
  },
);
