import { Type } from 'typebox';
import { DateTime, DateTimeInput, Id, nullable, oneOf, ShortText } from '../../http/wire.ts';
import { ROLES, SCOPES } from '../../lib/principal.ts';

const Role = oneOf(
  'KeyRole',
  ROLES,
  '`viewer` reads; `supervisor` also listens, hangs up and transfers; `user` uses one user\u2019s resources; `worker` is an agent worker; `service` does everything, for any user; `admin` also manages keys of role `admin`.',
);
const KeyScope = oneOf('KeyScope', SCOPES, 'A part of the API: the tag of its operations.');
const scopes = Type.Array(KeyScope, {
  minItems: 1,
  maxItems: SCOPES.length,
  description: 'The parts of the API that the key is limited to; null for all.',
});
const OWNER =
  'The user that the key is bound to: always for `user`, optionally for `viewer`, `supervisor` and `worker`.';

const fields = {
  id: Id,
  name: Type.String(),
  role: Role,
  user_id: nullable(Type.String({ description: OWNER })),
  scopes: nullable(scopes),
  created_at: DateTime,
  expires_at: nullable(DateTime),
  last_used_at: nullable({ ...DateTime, description: 'To the minute; null if never.' }),
  revoked_at: nullable(DateTime),
  made_in_open_mode: Type.Boolean({
    description: 'Created by an earlier release in open mode, in which anybody could create it.',
  }),
};

const example = {
  id: '01980000-0000-7000-8000-000000000002',
  name: 'Dashboard',
  role: 'service',
  user_id: null,
  scopes: null,
  created_at: '2026-01-15T09:30:00.000Z',
  expires_at: '2027-01-15T09:30:00.000Z',
  last_used_at: null,
  revoked_at: null,
  made_in_open_mode: false,
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
    user_id: Type.Optional(nullable({ ...ShortText, description: OWNER })),
    scopes: Type.Optional(nullable(scopes)),
    expires_at: Type.Optional(
      nullable({
        ...DateTimeInput,
        description: 'At most the expiry of the key that creates it, which is also the default.',
      }),
    ),
  },
  {
    title: 'ApiKeyCreate',
    additionalProperties: false,
    examples: [{ name: 'Dashboard', role: 'viewer', scopes: ['calls', 'stats'] }],
  },
);
