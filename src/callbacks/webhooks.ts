import { Type } from 'typebox';
import {
  CallDirection,
  CallStatus,
  DateTime,
  EndReason,
  Id,
  nullable,
  SessionStatus,
  TransferType,
} from '../http/wire.ts';

const example = {
  call_id: '01980000-0000-7000-8000-000000000001',
  status: 'COMPLETED',
  room_name: 'call-01980000',
  call_status: 'COMPLETED',
  call_direction: 'OUTBOUND',
  outbound_phone_number: '+15005550100',
  started_at: '2026-01-15T09:30:00.000Z',
  ended_at: '2026-01-15T09:31:30.500Z',
  duration: 90.5,
  end_reason: 'hangup',
  sip_status_code: null,
};

const CallbackTransfer = Type.Object(
  {
    transfer_type: TransferType,
    transferred_to: Type.String(),
    reason: Type.Optional(EndReason),
    sip_status_code: Type.Optional(nullable(Type.Integer())),
  },
  { title: 'CallbackTransfer', description: 'The transfer that the callback tells of.' },
);

const CallbackData = Type.Object(
  {
    call_id: Id,
    status: SessionStatus,
    room_name: Type.String(),
    call_status: nullable(CallStatus),
    call_direction: nullable(CallDirection),
    outbound_phone_number: nullable(Type.String()),
    started_at: nullable(DateTime),
    ended_at: nullable(DateTime),
    duration: nullable(Type.Number({ description: 'Seconds, with millisecond precision.' })),
    end_reason: nullable(EndReason),
    sip_status_code: nullable(Type.Integer()),
    transfer: Type.Optional(CallbackTransfer),
  },
  { title: 'CallbackData', description: 'The call as it was when the callback was queued.', examples: [example] },
);

/** The body of every callback: Standard Webhooks. */
const CallbackEvent = Type.Object(
  {
    type: Type.String({ description: '`call.answered`, `call.completed`, …' }),
    timestamp: DateTime,
    data: CallbackData,
  },
  {
    title: 'CallbackEvent',
    description: 'What a receiver is told.',
    examples: [{ type: 'call.completed', timestamp: '2026-01-15T09:31:30.500Z', data: example }],
  },
);

const EVENTS = {
  'call.answered': 'The callee has picked up, or an inbound call was answered.',
  'call.completed': 'The call came to a good end: hung up, canceled, or transferred.',
  'call.failed': 'The call failed; `end_reason` says why.',
  'call.no_answer': 'The phone rang and nobody answered.',
  'call.transferred': 'The call was transferred; `transfer` says where to.',
  'call.transfer_failed': 'A transfer failed; the call goes on as before.',
};

const string = (description: string) => ({ description, schema: { type: 'string' } });

/** The callbacks as OpenAPI describes them: requests that the service sends to `callback_url`. */
export const callbackWebhooks = Object.fromEntries(
  Object.entries(EVENTS).map(([type, summary]) => [
    type,
    {
      post: {
        operationId: `on${type.replace(/(?:^|[._])(\w)/g, (_match, letter: string) => letter.toUpperCase())}`,
        tags: ['callbacks'],
        summary,
        description:
          'Retried with growing pauses for a day, with the same `webhook-id` each time. Any 2xx answer counts as delivered.',
        security: [],
        parameters: [
          { in: 'header', name: 'webhook-id', required: true, ...string('The same in every attempt.') },
          { in: 'header', name: 'webhook-timestamp', required: true, ...string('Seconds since 1970 of the attempt.') },
          {
            ...{ in: 'header', name: 'webhook-signature', required: true },
            ...string(
              '`v1,` and the HMAC-SHA256 of id, timestamp and body, by the secret of the user; two of them while it is rotated.',
            ),
          },
        ],
        requestBody: { required: true, content: { 'application/json': { schema: CallbackEvent } } },
        responses: { 204: { description: 'Received.' }, 500: { description: 'Will be sent again.' } },
      },
    },
  ]),
);
