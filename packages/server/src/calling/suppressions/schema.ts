import { type Static, Type } from 'typebox';
import { PageQuery } from '../../http/paging.ts';
import { DateTime, DateTimeInput, Id, nullable, oneOf, PhoneNumber } from '../../http/wire.ts';
import { Purpose } from '../policies/schema.ts';

const UUID = '^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$';

/** Suppressions in one request. */
export const MAX_ENTRIES = 5_000;
/** Events of one request; beyond so many numbers there is one for all. */
export const MAX_EVENTS = 1_000;
/** Days for which a suppression is kept once it was removed or has expired. */
export const REMOVED_DAYS = 90;
export const REQUIRED_COLUMNS = ['phone_number'];
/** Columns of exported files that say nothing about the entry to import. */
export const IGNORED_COLUMNS = ['id', 'created_at'];
export const SUPPRESSION_COLUMNS = {
  id: 'text',
  phone_number: 'text',
  scope: 'text',
  scope_id: 'text',
  reason: 'text',
  expires_at: 'text',
  call_id: 'text',
  transcript_id: 'text',
  created_at: 'text',
} as const;

const Scope = oneOf(
  'SuppressionScope',
  ['user', 'agent', 'campaign', 'purpose'] as const,
  'Which calls to the number it is about; `user`: all.',
);
const Reason = oneOf(
  'SuppressionReason',
  ['asked', 'imported', 'registry', 'wrong_number'] as const,
  '`asked`: by the person itself, the default; `registry`: a public list.',
);
const ScopeId = Type.String({
  maxLength: 255,
  description: 'The id of the agent or campaign, or the purpose; empty for `user`.',
});
const PHONE = '+15005550199';
const example = {
  id: '01980000-0000-7000-8000-000000000031',
  phone_number: PHONE,
  scope: 'user',
  scope_id: '',
  reason: 'asked',
  expires_at: null,
  call_id: '01980000-0000-7000-8000-000000000001',
  transcript_id: null,
  created_at: '2026-01-15T09:30:00.000Z',
};

const SuppressionEntry = Type.Object(
  {
    phone_number: PhoneNumber,
    scope: Type.Optional({ ...Scope, default: 'user' }),
    scope_id: Type.Optional(ScopeId),
    reason: Type.Optional({ ...Reason, default: 'asked' }),
    expires_at: Type.Optional(nullable({ ...DateTimeInput, description: 'Null: never.' })),
    call_id: Type.Optional(
      nullable(Type.String({ pattern: UUID, description: 'The id of the call that is the evidence.' })),
    ),
    transcript_id: Type.Optional(
      nullable(Type.String({ pattern: UUID, description: 'The id of what was said in it.' })),
    ),
  },
  { title: 'SuppressionEntry', additionalProperties: false },
);

export const SuppressionsPost = Type.Object(
  { entries: Type.Array(SuppressionEntry, { minItems: 1, maxItems: MAX_ENTRIES }) },
  {
    title: 'SuppressionsPost',
    additionalProperties: false,
    examples: [{ entries: [{ phone_number: PHONE, reason: 'asked' }] }],
  },
);

export const SuppressionsAdded = Type.Object(
  {
    added: Type.Integer({ description: 'New ones.' }),
    changed: Type.Integer({ description: 'Those for a number and scope that had one already.' }),
  },
  { title: 'SuppressionsAdded', examples: [{ added: 1, changed: 0 }] },
);

const fields = {
  id: Id,
  phone_number: Type.String(),
  scope: Scope,
  scope_id: ScopeId,
  reason: Reason,
  expires_at: nullable(DateTime),
  call_id: nullable(Id),
  transcript_id: nullable(Id),
  created_at: DateTime,
};
export const Suppression = Type.Object(fields, { title: 'Suppression', examples: [example] });
const SuppressionChange = Type.Object(
  { ...fields, deleted_at: nullable({ ...DateTime, description: 'Null unless it was removed.' }) },
  { title: 'SuppressionChange', examples: [{ ...example, deleted_at: null }] },
);
export const SuppressionChanges = Type.Object(
  { items: Type.Array(SuppressionChange), next_cursor: Type.String({ description: 'Where to go on, now or later.' }) },
  { title: 'SuppressionChanges', examples: [{ items: [{ ...example, deleted_at: null }], next_cursor: '17' }] },
);

const SuppressionAddedData = Type.Object(
  {
    user_id: Type.String(),
    count: Type.Integer({ description: 'How many numbers the event is about.' }),
    suppression: nullable(Suppression),
    cursor: Type.String({ description: 'Lists these in `GET /api/suppressions/changes`.' }),
  },
  { title: 'SuppressionAddedData' },
);

export const SuppressionAdded = Type.Object(
  { type: Type.String({ description: '`suppression.added`.' }), timestamp: DateTime, data: SuppressionAddedData },
  {
    title: 'SuppressionAdded',
    description: `Sent for each number that is suppressed from now on, to the webhook endpoints of the user: by a request, or by what was said in a call. For a request with more than ${MAX_EVENTS.toLocaleString('en')} of them, one event with their \`count\` and without a \`suppression\`. None for one that replaces a suppression in force.`,
    examples: [
      {
        type: 'suppression.added',
        timestamp: '2026-01-15T09:30:00.000Z',
        data: { user_id: 'user-1', count: 1, suppression: example, cursor: '17' },
      },
    ],
  },
);

export const NumberQuery = Type.Object(
  { ...PageQuery, phone_number: Type.Optional({ ...PhoneNumber, description: 'Only this number.' }) },
  { additionalProperties: false },
);

const consent = {
  phone_number: PHONE,
  purpose: 'marketing',
  kind: 'express_written',
  text: 'Yes, call me about offers.',
  obtained_at: '2026-01-15T09:30:00.000Z',
  channel: 'web form',
  evidence_url: null,
};

const givenFields = {
  kind: Type.String({ minLength: 1, maxLength: 100, description: 'For example `express_written`.' }),
  text: Type.String({ minLength: 1, maxLength: 10_000, description: 'What was agreed to, in its words.' }),
  channel: Type.String({ minLength: 1, maxLength: 100, description: 'How it was obtained.' }),
};
const consentFields = { phone_number: PhoneNumber, purpose: Purpose, ...givenFields };
const givenInput = {
  ...givenFields,
  obtained_at: DateTimeInput,
  evidence_url: Type.Optional(nullable(Type.String({ maxLength: 2048, description: 'Where it is kept.' }))),
};

/** A consent of a person that is known otherwise. */
export const GivenConsent = Type.Object(givenInput, {
  title: 'GivenConsent',
  additionalProperties: false,
  examples: [{ kind: 'express_written', text: consent.text, obtained_at: consent.obtained_at, channel: 'web form' }],
});
export type GivenConsent = Static<typeof GivenConsent>;

export const ConsentPost = Type.Object(
  { phone_number: PhoneNumber, purpose: Purpose, ...givenInput },
  { title: 'ConsentPost', additionalProperties: false, examples: [consent] },
);

export const Consent = Type.Object(
  {
    id: Id,
    ...consentFields,
    phone_number: Type.String(),
    obtained_at: DateTime,
    evidence_url: nullable(Type.String()),
    created_at: DateTime,
    revoked_at: nullable(DateTime),
  },
  {
    title: 'Consent',
    examples: [
      { id: '01980000-0000-7000-8000-000000000032', ...consent, created_at: consent.obtained_at, revoked_at: null },
    ],
  },
);
