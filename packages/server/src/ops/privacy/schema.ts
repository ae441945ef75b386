import { Type } from 'typebox';
import { DateTime } from '../../http/wire.ts';

export const ErasedUser = Type.Object(
  {
    pseudonym: Type.String({ description: 'The user_id under which the costs are kept.' }),
    erased_at: DateTime,
  },
  {
    title: 'ErasedUser',
    examples: [{ pseudonym: 'erased-01980000-0000-7000-8000-000000000005', erased_at: '2026-01-15T09:30:00.000Z' }],
  },
);

const legal_hold = Type.Boolean({ description: 'Whether none of the user\u2019s conversations are deleted.' });

export const UserUpdate = Type.Object(
  { legal_hold },
  { title: 'UserUpdate', additionalProperties: false, examples: [{ legal_hold: true }] },
);

export const HeldUser = Type.Object(
  { user_id: Type.String(), legal_hold },
  { title: 'HeldUser', examples: [{ user_id: 'user-1', legal_hold: true }] },
);
