import { Type } from 'typebox';
import { UserPrivacy } from '../../conversations/agents/privacy-schema.ts';
import { DateTime, nullable } from '../../http/wire.ts';

const EXAMPLE = { redact: ['card' as const], keep: { transcripts_days: 30 } };

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
const privacy = nullable(UserPrivacy);

export const UserUpdate = Type.Object(
  { legal_hold: Type.Optional(legal_hold), privacy: Type.Optional(privacy) },
  {
    title: 'UserUpdate',
    description: 'What is absent stays; `privacy` is replaced as a whole, and `null` removes it.',
    additionalProperties: false,
    minProperties: 1,
    examples: [{ legal_hold: true }, { privacy: EXAMPLE }],
  },
);

export const UserSettings = Type.Object(
  { user_id: Type.String(), legal_hold, privacy },
  { title: 'UserSettings', examples: [{ user_id: 'user-1', legal_hold: true, privacy: EXAMPLE }] },
);
