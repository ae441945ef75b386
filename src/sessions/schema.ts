import { Type } from 'typebox';
import { PageQuery } from '../http/paging.ts';
import {
  CallDirection,
  CallStatus,
  DateTime,
  DateTimeInput,
  FreeObject,
  Id,
  nullable,
  SessionStatus,
  ShortText,
  Speaker,
  TransferType,
} from '../http/wire.ts';

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
  { title: 'Session' },
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
    session_data: Type.Optional(FreeObject),
  },
  { title: 'SessionCreate', additionalProperties: false, examples: [{ user_id: 'user-1', room_name: 'web-42' }] },
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

export const RoomTokenCreate = Type.Object(
  { session_id: Id },
  {
    title: 'RoomTokenCreate',
    additionalProperties: false,
    examples: [{ session_id: '01980000-0000-7000-8000-000000000000' }],
  },
);

export const RoomToken = Type.Object(
  { token: Type.String(), url: Type.String(), room_name: Type.String(), identity: Type.String(), expires_at: DateTime },
  { title: 'RoomToken', description: 'Connect to `url` with `token` before `expires_at`.' },
);

export const Transcript = Type.Object(
  { id: Id, session_id: Id, content: Type.String(), speaker: Speaker, timestamp: DateTime },
  { title: 'Transcript' },
);

export const TranscriptCreate = Type.Object(
  {
    content: Type.String({ minLength: 1, maxLength: 65_536 }),
    speaker: Type.Optional(nullable(Speaker)),
    timestamp: Type.Optional(nullable(DateTimeInput)),
  },
  { title: 'TranscriptCreate', examples: [{ content: 'I would like to move my appointment.', speaker: 'USER' }] },
);
