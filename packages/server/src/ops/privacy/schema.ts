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
