import { Type } from 'typebox';
import { PageQuery } from '../../http/paging.ts';
import { AgentType, CallbackUrl, DateTime, FreeObject, Id, nullable, ShortText } from '../../http/wire.ts';

const Description = Type.String({ maxLength: 65_536 });

export const Agent = Type.Object(
  {
    id: Id,
    name: Type.String(),
    type: AgentType,
    is_active: Type.Boolean(),
    user_id: Type.String(),
    created_at: DateTime,
    updated_at: DateTime,
    description: nullable(Type.String()),
    config: FreeObject,
    phone_number: nullable(Type.String()),
    carrier_sid: nullable(Type.String()),
  },
  {
    title: 'Agent',
    examples: [
      {
        id: '01980000-0000-7000-8000-000000000000',
        name: 'Front desk',
        type: 'PIPELINE',
        is_active: true,
        user_id: 'user-1',
        created_at: '2026-01-15T09:30:00.000Z',
        updated_at: '2026-01-15T09:30:00.000Z',
        description: null,
        config: { llm: { model: 'gpt-4o-mini' }, tts: { voice: 'nova' } },
        phone_number: '+15005550010',
        carrier_sid: 'PN00000000000000000000000000000010',
      },
    ],
  },
);

export const AgentCreate = Type.Object(
  {
    name: ShortText,
    user_id: ShortText,
    description: Type.Optional(nullable(Description)),
    config: Type.Optional(nullable(FreeObject)),
    is_active: Type.Optional(Type.Boolean()),
    type: Type.Optional(AgentType),
  },
  {
    title: 'AgentCreate',
    examples: [
      {
        name: 'Front desk',
        user_id: 'user-1',
        config: { stt: { provider: 'deepgram' }, llm: { model: 'gpt-4o-mini' } },
      },
    ],
  },
);

export const AgentUpdate = Type.Object(
  {
    name: Type.Optional(ShortText),
    description: Type.Optional(nullable(Description)),
    config: Type.Optional(FreeObject),
    is_active: Type.Optional(Type.Boolean()),
    type: Type.Optional(AgentType),
  },
  { title: 'AgentUpdate', examples: [{ is_active: false }] },
);

const exampleUrl = 'https://example.com/calls';

export const AgentCallbackUrl = Type.Object(
  {
    agent_id: Id,
    callback_url: nullable(
      Type.String({ description: 'Null: no callbacks, except to a call’s own URL and to webhook endpoints.' }),
    ),
  },
  {
    title: 'AgentCallbackUrl',
    examples: [{ agent_id: '01980000-0000-7000-8000-000000000000', callback_url: exampleUrl }],
  },
);

export const AgentCallbackUrlUpdate = Type.Object(
  { callback_url: nullable(CallbackUrl) },
  { title: 'AgentCallbackUrlUpdate', additionalProperties: false, examples: [{ callback_url: exampleUrl }] },
);

const legalHold = Type.Boolean({
  description: 'Whether none of the agent\u2019s conversations are deleted (docs/privacy.md).',
});

export const AgentLegalHold = Type.Object(
  { agent_id: Id, legal_hold: legalHold },
  {
    title: 'AgentLegalHold',
    examples: [{ agent_id: '01980000-0000-7000-8000-000000000000', legal_hold: true }],
  },
);

export const AgentLegalHoldUpdate = Type.Object(
  { legal_hold: legalHold },
  { title: 'AgentLegalHoldUpdate', additionalProperties: false, examples: [{ legal_hold: true }] },
);

const exampleKey = 'front-desk';
export const MAX_EXTERNAL_KEY = 100;
const ExternalKey = Type.String({
  pattern: `^[A-Za-z0-9][A-Za-z0-9._-]{0,${MAX_EXTERNAL_KEY - 1}}$`,
  description: 'Letters, digits, `.`, `_` and `-`, up to 100; unique among the agents of a user.',
});

export const AgentExternalKey = Type.Object(
  { agent_id: Id, external_key: nullable(Type.String()) },
  {
    title: 'AgentExternalKey',
    examples: [{ agent_id: '01980000-0000-7000-8000-000000000000', external_key: exampleKey }],
  },
);

export const AgentExternalKeyUpdate = Type.Object(
  { external_key: nullable(ExternalKey) },
  { title: 'AgentExternalKeyUpdate', additionalProperties: false, examples: [{ external_key: exampleKey }] },
);

export const User = Type.Object(
  {
    user_id: Type.String(),
    legal_hold: Type.Optional(
      Type.Boolean({ description: 'Whether none of the user\u2019s conversations are deleted (docs/privacy.md).' }),
    ),
  },
  { title: 'User', description: 'A user that has agents.', examples: [{ user_id: 'user-1', legal_hold: false }] },
);

export const UserListQuery = Type.Object(
  { ...PageQuery, prefix: Type.Optional({ ...ShortText, description: 'Only users whose id begins with this text.' }) },
  { additionalProperties: false },
);
