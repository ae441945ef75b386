import { Type } from 'typebox';
import { Source } from '../../conversations/versions/schema.ts';
import { CallbackUrl, DateTime, Id, nullable } from '../../http/wire.ts';
import { callDataFields, recordField } from '../outbound/schema.ts';

export const WebCall = Type.Object(
  {
    agent_id: Id,
    agent_version: Type.Optional(Source),
    callback_url: Type.Optional(nullable(CallbackUrl)),
    ...callDataFields,
    ...recordField,
  },
  {
    title: 'WebCall',
    additionalProperties: false,
    examples: [{ agent_id: '01980000-0000-7000-8000-000000000000', variables: { name: 'Ada' }, max_duration_s: 600 }],
  },
);

export const WebCallStarted = Type.Object(
  {
    call_id: Id,
    room_name: Type.String(),
    url: Type.String({ description: 'The URL to connect to with `token`.' }),
    token: Type.String({ description: 'Valid for the room of this call only, until `expires_at`.' }),
    events_url: Type.String({
      description: 'Path and query of the event stream of the call, for an `EventSource`, relative to the service.',
    }),
    expires_at: DateTime,
  },
  {
    title: 'WebCallStarted',
    description: 'Everything a page needs to talk to the agent.',
    examples: [
      {
        call_id: '01980000-0000-7000-8000-000000000001',
        room_name: 'web-01980000',
        url: 'wss://example.livekit.cloud',
        token: 'eyJ…',
        events_url: '/api/calls/01980000-0000-7000-8000-000000000001/events?token=sbs_…',
        expires_at: '2026-01-15T09:31:00.000Z',
      },
    ],
  },
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
  {
    title: 'RoomToken',
    examples: [
      {
        token: 'eyJ…',
        url: 'wss://example.livekit.cloud',
        room_name: 'call-01980000',
        identity: 'web-01980000',
        expires_at: '2026-01-15T09:30:00.000Z',
      },
    ],
    description: 'Connect to `url` with `token` before `expires_at`.',
  },
);

export const CallListening = Type.Object(
  {
    room_name: Type.String(),
    url: Type.String({ description: 'The URL to connect to with `token`.' }),
    token: Type.String({ description: 'Allows listening to the room of this call only. Valid until `expires_at`.' }),
    expires_at: DateTime,
    is_simulated: Type.Boolean({
      description: 'Whether this is the sandbox, which has no audio and no server at `url`.',
    }),
  },
  {
    title: 'CallListening',
    description: 'Connect to `url` with `token` before `expires_at`. Who is connected stays until the call ends.',
    examples: [
      {
        room_name: 'call-01980000',
        url: 'wss://example.livekit.cloud',
        token: 'eyJ…',
        expires_at: '2026-01-15T09:31:00.000Z',
        is_simulated: false,
      },
    ],
  },
);
