import { type Static, Type } from 'typebox';
import { PageQuery } from '../../http/paging.ts';
import { DateTime, FreeObject, Id, nullable, PhoneNumber } from '../../http/wire.ts';
import { CallMetadata, CallVariables } from '../outbound/schema.ts';
import { GivenConsent } from '../suppressions/schema.ts';
import { AttemptOutcome, RecipientState } from './schema.ts';

export const MAX_RECIPIENTS = 1_000_000;
/** Recipients in a JSON body, lines of a file, bytes of a line, and refused lines that are listed. */
export const MAX_LISTED = 1_000;
export const MAX_LINES = 1_000_000;
export const MAX_LINE_BYTES = 64 * 1024;
export const MAX_REFUSALS = 100;
/** Recipients whose decisions a preview makes. */
export const MAX_PREVIEWED = 2_000;

export const RESULT_COLUMNS = {
  external_id: 'text',
  phone_number: 'text',
  state: 'text',
  reason: 'text',
  attempts: 'number',
  next_at: 'text',
  finished_at: 'text',
  call_id: 'text',
  outcome: 'text',
} as const;

const ExternalId = Type.String({
  minLength: 1,
  maxLength: 255,
  description: 'Unique in the campaign: one that is there already is left as it is. Default: the number.',
});

export const RecipientInput = Type.Object(
  {
    phone_number: PhoneNumber,
    external_id: Type.Optional(nullable(ExternalId)),
    variables: Type.Optional(nullable(CallVariables)),
    metadata: Type.Optional(nullable(CallMetadata)),
    time_zone: Type.Optional(nullable(Type.String({ maxLength: 64, description: 'For example `Europe/Berlin`.' }))),
    region: Type.Optional(nullable(Type.String({ maxLength: 6, description: '`DE`, `US-TX`.' }))),
    consent: Type.Optional(nullable(GivenConsent)),
  },
  { title: 'RecipientInput', additionalProperties: false },
);
export type RecipientInput = Static<typeof RecipientInput>;

export const RecipientsAdd = Type.Object(
  { recipients: Type.Array(FreeObject, { maxItems: MAX_LISTED, description: 'Each a `RecipientInput`.' }) },
  {
    title: 'RecipientsAdd',
    additionalProperties: false,
    examples: [{ recipients: [{ phone_number: '+15005550100', external_id: 'C-17', variables: { name: 'Ada' } }] }],
  },
);

const RefusedLine = Type.Object(
  {
    line: Type.Integer({ description: 'Of the file, from 1; for JSON the place in the list, from 1.' }),
    field: nullable(Type.String({ description: 'Null if it is about the whole line.' })),
    msg: Type.String({ description: 'A message for people.' }),
  },
  { title: 'RefusedLine' },
);

export const RecipientsAdded = Type.Object(
  {
    added: Type.Integer({ minimum: 0 }),
    known: Type.Integer({ minimum: 0, description: 'Whose `external_id` was there already.' }),
    consents_added: Type.Integer({ minimum: 0, description: 'Those of recipients that were added.' }),
    refused: Type.Integer({ minimum: 0 }),
    refusals: Type.Array(RefusedLine, {
      description: `The first ${MAX_REFUSALS}, and the one with which reading stopped.`,
    }),
    stopped_at_line: nullable(
      Type.Integer({
        description:
          'The line from which on the file was not read; null if it was read to its end. Its refusal says why.',
      }),
    ),
  },
  {
    title: 'RecipientsAdded',
    examples: [
      {
        added: 2,
        known: 0,
        consents_added: 0,
        refused: 1,
        refusals: [{ line: 3, field: 'phone_number', msg: 'Input should be a phone number in E.164' }],
        stopped_at_line: null,
      },
    ],
  },
);

const Attempt = Type.Object(
  {
    attempt: Type.Integer(),
    call_id: Id,
    decision_id: nullable({ ...Id, description: 'Null for users about whose calls nothing is decided.' }),
    outcome: nullable({ ...AttemptOutcome, description: 'Null until the call has ended.' }),
    started_at: DateTime,
    ended_at: nullable(DateTime),
  },
  { title: 'CampaignAttempt' },
);

const recipient = {
  id: '01980000-0000-7000-8000-000000000042',
  external_id: 'C-17',
  phone_number: '+15005550100',
  time_zone: null,
  region: null,
  state: 'reached',
  reason: 'answered',
  attempts: [
    {
      attempt: 1,
      call_id: '01980000-0000-7000-8000-000000000001',
      decision_id: null,
      outcome: 'answered',
      started_at: '2026-01-15T09:30:00.000Z',
      ended_at: '2026-01-15T09:31:30.000Z',
    },
  ],
  decision_id: null,
  next_at: null,
  created_at: '2026-01-15T09:00:00.000Z',
  finished_at: '2026-01-15T09:31:31.000Z',
};

const recipientFields = {
  id: Id,
  external_id: Type.String(),
  phone_number: Type.String(),
  time_zone: nullable(Type.String()),
  region: nullable(Type.String()),
  state: RecipientState,
  reason: nullable(Type.String({ description: 'The outcome, or the rule of the decision, that led to the state.' })),
  attempts: Type.Array(Attempt, { description: 'In order.' }),
  decision_id: nullable({ ...Id, description: 'The last decision that did not let it be dialled.' }),
  next_at: nullable({ ...DateTime, description: 'When it may be dialled; null unless it waits.' }),
  created_at: DateTime,
  finished_at: nullable(DateTime),
};

export const Recipient = Type.Object(recipientFields, { title: 'Recipient', examples: [recipient] });

export const RecipientDetail = Type.Object(
  { ...recipientFields, variables: nullable(CallVariables), metadata: nullable(CallMetadata) },
  {
    title: 'RecipientDetail',
    examples: [{ ...recipient, variables: { name: 'Ada' }, metadata: null }],
  },
);

export const RecipientQuery = Type.Object(
  { ...PageQuery, state: Type.Optional(RecipientState) },
  { additionalProperties: false },
);

const PreviewRefusal = Type.Object(
  {
    recipient_id: Id,
    external_id: Type.String(),
    rule: Type.String({
      description:
        '`suppression`, `consent`, …, `destination_not_allowed`, or `expires_at` for those who may be called only after the end.',
    }),
    detail: Type.String(),
  },
  { title: 'PreviewRefusal' },
);

export const CampaignPreview = Type.Object(
  {
    waiting: Type.Integer({ minimum: 0, description: 'Recipients that wait.' }),
    decided: Type.Integer({
      minimum: 0,
      description: `How many of them were decided: those that would be dialled first, up to ${MAX_PREVIEWED}.`,
    }),
    is_sample: Type.Boolean({ description: 'Whether others wait.' }),
    same_number: Type.Integer({
      minimum: 0,
      description:
        'How many of those decided have the number of one before them: each is called once no other call is open.',
    }),
    now: Type.Integer({ minimum: 0, description: 'Who may be dialled now.' }),
    hours: Type.Array(
      Type.Object({ from: DateTime, recipients: Type.Integer({ minimum: 1 }) }, { title: 'PreviewHour' }),
      { description: 'From when on each may be dialled, by hour (UTC), pacing aside.' },
    ),
    refused: Type.Integer({ minimum: 0 }),
    refusals: Type.Array(PreviewRefusal, { description: `The first ${MAX_REFUSALS}.` }),
  },
  {
    title: 'CampaignPreview',
    examples: [
      {
        waiting: 3,
        decided: 3,
        is_sample: false,
        same_number: 0,
        now: 1,
        hours: [
          { from: '2026-01-15T09:00:00.000Z', recipients: 1 },
          { from: '2026-01-15T14:00:00.000Z', recipients: 1 },
        ],
        refused: 1,
        refusals: [
          {
            recipient_id: '01980000-0000-7000-8000-000000000043',
            external_id: 'C-18',
            rule: 'suppression',
            detail: 'The number is suppressed for all calls: asked.',
          },
        ],
      },
    ],
  },
);

const RecipientFinishedData = Type.Object(
  {
    campaign_id: Id,
    recipient_id: Id,
    external_id: Type.String(),
    phone_number: Type.String(),
    state: RecipientState,
    reason: nullable(Type.String()),
    attempts: Type.Integer({ minimum: 0 }),
  },
  { title: 'RecipientFinishedData' },
);

/** The body of `recipient.finished`. */
export const RecipientFinished = Type.Object(
  { type: Type.String({ description: '`recipient.finished`.' }), timestamp: DateTime, data: RecipientFinishedData },
  {
    title: 'RecipientFinished',
    description:
      'Once for each recipient with whom the campaign is done, also by its end (`canceled`, `expired`); not for those who are deleted with it.',
    examples: [
      {
        type: 'recipient.finished',
        timestamp: '2026-01-15T09:31:31.000Z',
        data: {
          campaign_id: '01980000-0000-7000-8000-000000000041',
          recipient_id: recipient.id,
          external_id: 'C-17',
          phone_number: '+15005550100',
          state: 'reached',
          reason: 'answered',
          attempts: 1,
        },
      },
    ],
  },
);
