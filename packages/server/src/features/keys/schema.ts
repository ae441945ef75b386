import { Type } from 'typebox';
import { DateTime, DateTimeInput, Id, nullable, oneOf, ShortText } from '../../http/wire.ts';

const Role = oneOf(
  'KeyRole',
  ['service', 'worker', 'user'],
  '`service`: everything, for any user. `worker`: what an agent worker needs. `user`: one user\u2019s own resources.',
);

const fields = {
  id: Id,
  name: Type.String(),
  role: Role,
  user_id: nullable(Type.String({ description: 'The user that a key of role `user` is bound to.' })),
  created_at: DateTime,
  expires_at: nullable(DateTime),
  last_used_at: nullable(DateTime),
  revoked_at: nullable(DateTime),
};

const example = {
  id: '01980000-0000-7000-8000-000000000002',
  name: 'Dashboard',
  role: 'service',
  user_id: null,
  created_at: '2026-01-15T09:30:00.000Z',
  expires_at: '2027-01-15T09:30:00.000Z',
  last_used_at: null,
  revoked_at: null,
};

export const ApiKey = Type.Object(fields, { title: 'ApiKey', examples: [example] });

export const ApiKeyCreated = Type.Object(
  {
    ...fields,
    key: Type.String({ description: 'The key itself. Shown only in this response: only its hash is stored.' }),
  },
  { title: 'ApiKeyCreated', examples: [{ ...example, key: 'sb_…' }] },
);

export const ApiKeyCreate = Type.Object(
  {
    name: ShortText,
    role: Role,
    user_id: Type.Optional(nullable(ShortText)),
    expires_at: Type.Optional(nullable(DateTimeInput)),
  },
  { title: 'ApiKeyCreate', additionalProperties: false, examples: [{ name: 'Dashboard', role: 'service' }] },
);
