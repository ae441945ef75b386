import { type Static, Type } from 'typebox';
import { PageQuery } from '../../http/paging.ts';
import {
  CallDirection,
  CallStatus,
  DateTime,
  DateTimeInput,
  FreeObject,
  Id,
  nullable,
  oneOf,
  SessionStatus,
  ShortText,
  TransferType,
} from '../../http/wire.ts';

export const Session = Type.Object(
  {
    id: Id,
    room_name: Type.String(),
    status: SessionStatus,
    started_at: nullable(DateTime),
    ended_at: nullable(DateTime),
    duration: nullable(Type.Number({ description: 'Seconds, with millisecond precision.' })),
    user_id: Type.String(),
    agent_id: nullable(Id),
    agent_name: nullable(Type.String()),
    created_at: DateTime,
    updated_at: DateTime,
    session_data: FreeObject,
    call_direction: nullable(CallDirection),
    outbound_phone_number: nullable(Type.String()),
    call_status: nullable(CallStatus),
    analysis: nullable(FreeObject),
    transferred_to: nullable(Type.String()),
    transfer_type: nullable(TransferType),
    transfer_timestamp: nullable(DateTime),
  },
  {
    title: 'Session',
    examples: [
      {
        id: '01980000-0000-7000-8000-000000000001',
        room_name: 'call-01980000',
        status: 'COMPLETED',
        started_at: '2026-01-15T09:30:00.000Z',
        ended_at: '2026-01-15T09:31:30.500Z',
        duration: 90.5,
        user_id: 'user-1',
        agent_id: '01980000-0000-7000-8000-000000000000',
        agent_name: 'Front desk',
        created_at: '2026-01-15T09:30:00.000Z',
        updated_at: '2026-01-15T09:31:30.500Z',
        session_data: { analysis: { sentiment: 'positive' } },
        call_direction: 'OUTBOUND',
        outbound_phone_number: '+15005550100',
        call_status: 'COMPLETED',
        analysis: { sentiment: 'positive' },
        transferred_to: null,
        transfer_type: null,
        transfer_timestamp: null,
      },
    ],
  },
);

export const SessionUpdate = Type.Object(
  {
    ended_at: Type.Optional(nullable(DateTimeInput)),
    duration: Type.Optional(nullable(Type.Number({ minimum: 0, maximum: 1e9, description: 'Seconds.' }))),
    metadata: Type.Optional(nullable(FreeObject)),
  },
  { title: 'SessionUpdate', examples: [{ metadata: { analysis: { sentiment: 'positive' } } }] },
);

export const SessionCreate = Type.Object(
  {
    room_name: Type.Optional(ShortText),
    user_id: ShortText,
    agent_id: Type.Optional(nullable(Id)),
    session_data: Type.Optional(nullable(FreeObject)),
    metadata: Type.Optional(nullable(FreeObject)),
  },
  { title: 'SessionCreate', additionalProperties: false, examples: [{ user_id: 'user-1', room_name: 'web-42' }] },
);

/** Entries of one timeline about models that took over; later ones are not recorded. */
export const MAX_FAILOVERS = 500;

const ModelName = (description: string) =>
  Type.String({ minLength: 1, maxLength: 400, description: `${description}, as provider and model.` });

export const ModelKind = oneOf(
  'ModelKind',
  ['stt', 'llm', 'tts', 'realtime'],
  'The section of the configuration that names a model.',
);

const failedOverFields = {
  kind: ModelKind,
  from: ModelName('The model that failed'),
  to: ModelName('The model that took over'),
  reason: oneOf('FailedOverReason', ['error', 'timeout', 'rate_limit'], 'Why the model counts as failed.'),
};
const OVER = { kind: 'llm', from: 'openai/gpt-4.1-mini', to: 'groq/llama-3.3-70b', reason: 'rate_limit' };

export const FailedOver = Type.Object(failedOverFields, {
  title: 'FailedOver',
  additionalProperties: false,
  description: 'A model took over from one that failed.',
  examples: [OVER],
});
export type FailedOver = Static<typeof FailedOver>;

export const FailedOverCreate = Type.Object(
  {
    id: Type.String({
      pattern: '^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$',
      description: 'A UUID that the worker chooses. Sending an entry again has no effect.',
    }),
    ...failedOverFields,
    at: Type.Optional({ ...DateTimeInput, description: 'When; now by default.' }),
  },
  {
    title: 'FailedOverCreate',
    additionalProperties: false,
    examples: [{ id: '01980000-0000-7000-8000-000000000009', ...OVER }],
  },
);

export const FailedOverReported = Type.Object(
  { added: Type.Boolean({ description: 'False if it was known, or if the timeline has too many of them.' }) },
  { title: 'FailedOverReported', examples: [{ added: true }] },
);

export const TimelineEntry = Type.Object(
  {
    status: SessionStatus,
    call_status: nullable(CallStatus),
    failed_over: nullable({ ...FailedOver, description: 'Set in an entry about a model; the state has not changed.' }),
    created_at: DateTime,
  },
  { title: 'TimelineEntry' },
);

export const SessionListQuery = Type.Object(
  {
    ...PageQuery,
    status: Type.Optional(SessionStatus),
    call_direction: Type.Optional(CallDirection),
    agent_id: Type.Optional(Id),
    from: Type.Optional(Type.String({ format: 'date-time', description: 'Created at or after.' })),
    to: Type.Optional(Type.String({ format: 'date-time', description: 'Created before.' })),
  },
  { additionalProperties: false },
);

/** The filter of `SessionListQuery`; a named caller only sees its own sessions. */
export function toFilter(query: Static<typeof SessionListQuery>, caller: string | null) {
  const { status, call_direction, agent_id, from, to } = query;
  const period = { from: from ? new Date(from) : undefined, to: to ? new Date(to) : undefined };
  return { user_id: caller ?? undefined, status, call_direction, agent_id, ...period };
}
