import { Type } from 'typebox';
import { DateTime, Id, nullable } from '../../http/wire.ts';

export const AuditEntry = Type.Object(
  {
    id: Id,
    at: DateTime,
    actor: Type.String({
      description: '`api_key/…`, `token` (a JWT), `open` (no authentication), `command` or `repair`.',
    }),
    user_id: nullable(Type.String({ description: 'The user on whose behalf it was done, if any.' })),
    ip: nullable(Type.String()),
    action: Type.String({ description: 'For instance `number.assigned`.' }),
    target: Type.String({ description: 'The resource, as `kind/id`.' }),
    detail: nullable(Type.String()),
  },
  {
    title: 'AuditEntry',
    examples: [
      {
        id: '01980000-0000-7000-8000-000000000004',
        at: '2026-01-15T09:30:00.000Z',
        actor: 'api_key/01980000-0000-7000-8000-000000000002',
        user_id: 'user-1',
        ip: '192.0.2.7',
        action: 'number.assigned',
        target: 'agent/01980000-0000-7000-8000-000000000000',
        detail: '+15005550010',
      },
    ],
  },
);
