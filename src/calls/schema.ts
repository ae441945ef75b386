import { Type } from 'typebox';
import {
  CallbackUrl,
  CallDirection,
  CallStatus,
  DateTime,
  EndReason,
  Id,
  nullable,
  oneOf,
  PhoneNumber,
  SessionStatus,
  TransferType,
} from '../http/wire.ts';

export const OutboundCall = Type.Object(
  { agent_id: Id, phone_number: PhoneNumber, callback_url: Type.Optional(nullable(CallbackUrl)) },
  {
    title: 'OutboundCall',
    examples: [
      {
        agent_id: '01980000-0000-7000-8000-000000000000',
        phone_number: '+15005550100',
        callback_url: 'https://example.com/calls',
      },
    ],
  },
);

export const OutboundCallStarted = Type.Object(
  {
    call_id: Id,
    room_name: Type.String(),
    status: Type.String({ description: '`RINGING`, or `FAILED` when the media room could not be made.' }),
  },
  {
    title: 'OutboundCallStarted',
    examples: [{ call_id: '01980000-0000-7000-8000-000000000001', room_name: 'call-01980000', status: 'RINGING' }],
  },
);

const statusFields = {
  call_id: Id,
  status: SessionStatus,
  room_name: Type.String(),
  call_status: nullable(CallStatus),
  call_direction: nullable(CallDirection),
  outbound_phone_number: nullable(Type.String()),
  started_at: nullable(DateTime),
  ended_at: nullable(DateTime),
  duration: nullable(Type.Number({ description: 'Seconds, with millisecond precision.' })),
};

export const CallState = Type.Object(statusFields, {
  title: 'CallState',
  examples: [
    {
      call_id: '01980000-0000-7000-8000-000000000001',
      status: 'ACTIVE',
      room_name: 'call-01980000',
      call_status: 'ANSWERED',
      call_direction: 'OUTBOUND',
      outbound_phone_number: '+15005550100',
      started_at: '2026-01-15T09:30:00.000Z',
      ended_at: null,
      duration: null,
    },
  ],
});

const summaryFields = {
  ...statusFields,
  end_reason: nullable(EndReason),
  sip_status_code: nullable(Type.Integer()),
  user_id: Type.String(),
  agent_id: nullable(Id),
  caller_number: nullable(Type.String({ description: 'Who called, on an inbound call.' })),
  created_at: DateTime,
};

const exampleCall = {
  call_id: '01980000-0000-7000-8000-000000000001',
  status: 'FAILED',
  room_name: 'call-01980000',
  call_status: 'FAILED',
  call_direction: 'OUTBOUND',
  outbound_phone_number: '+15005550001',
  started_at: null,
  ended_at: '2026-01-15T09:31:30.500Z',
  duration: 0,
  end_reason: 'busy',
  sip_status_code: 486,
  user_id: 'user-1',
  agent_id: '01980000-0000-7000-8000-000000000000',
  caller_number: null,
  created_at: '2026-01-15T09:30:00.000Z',
};

export const CallSummary = Type.Object(summaryFields, {
  title: 'CallSummary',
  examples: [exampleCall],
});

const TransferAttempt = Type.Object(
  {
    id: Id,
    transfer_type: TransferType,
    phone_number: Type.String(),
    status: oneOf(
      'TransferStatus',
      ['pending', 'connected', 'completed', 'failed'],
      '`pending` while the target is dialled, `connected` while all three talk.',
    ),
    reason: nullable(EndReason),
    sip_status_code: nullable(Type.Integer()),
    created_at: DateTime,
    updated_at: DateTime,
  },
  { title: 'TransferAttempt' },
);

export const CallDetail = Type.Object(
  {
    ...summaryFields,
    agent_name: nullable(Type.String()),
    transfers: Type.Array(TransferAttempt),
    timeline: Type.Array(
      Type.Object(
        { status: SessionStatus, call_status: nullable(CallStatus), created_at: DateTime },
        { title: 'TimelineEntry' },
      ),
    ),
  },
  {
    title: 'CallDetail',
    examples: [
      {
        ...exampleCall,
        agent_name: 'Front desk',
        transfers: [],
        timeline: [
          { status: 'CREATED', call_status: 'RINGING', created_at: '2026-01-15T09:30:00.000Z' },
          { status: 'FAILED', call_status: 'FAILED', created_at: '2026-01-15T09:31:30.500Z' },
        ],
      },
    ],
  },
);

export const TransferRequest = Type.Object(
  { phone_number: PhoneNumber, type: Type.Optional(nullable(TransferType)) },
  { title: 'TransferRequest', examples: [{ phone_number: '+15005550101' }] },
);

export const Transfer = Type.Object(
  {
    session_id: Id,
    transfer_type: TransferType,
    transferred_to: Type.String(),
    status: Type.String({ description: '`completed` (cold) or `initiated` (warm: the target is being dialled).' }),
    message: Type.String(),
  },
  {
    title: 'Transfer',
    examples: [
      {
        session_id: '01980000-0000-7000-8000-000000000001',
        transfer_type: 'COLD',
        transferred_to: '+15005550101',
        status: 'completed',
        message: 'The caller is connected to the new number; the agent has left.',
      },
    ],
  },
);

export const StreamToken = Type.Object(
  {
    token: Type.String(),
    expires_at: DateTime,
    events_url: Type.String({ description: 'Path and query of the stream, relative to the service.' }),
  },
  {
    title: 'StreamToken',
    examples: [
      {
        token: 'sbs_…',
        expires_at: '2026-01-15T10:30:00.000Z',
        events_url: '/api/calls/01980000-0000-7000-8000-000000000001/events?token=sbs_…',
      },
    ],
  },
);
