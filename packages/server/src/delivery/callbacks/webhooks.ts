import { type TSchema, Type } from 'typebox';
import {
  AnsweredBy,
  callStateFields,
  DateTime,
  Direction,
  EndReason,
  Id,
  nullable,
  TransferType,
} from '../../http/wire.ts';
import { AgentReleased, CallDigits, QuotaThreshold } from './event-schema.ts';
import { type EventType, TEST_EVENT, TEST_MESSAGE, WEBHOOK_EVENTS } from './schema.ts';

const example = {
  call_id: '01980000-0000-7000-8000-000000000001',
  status: 'COMPLETED',
  room_name: 'call-01980000',
  call_status: 'COMPLETED',
  call_direction: 'OUTBOUND',
  direction: 'OUTBOUND',
  outbound_phone_number: '+15005550100',
  started_at: '2026-01-15T09:30:00.000Z',
  ended_at: '2026-01-15T09:31:30.500Z',
  duration: 90.5,
  end_reason: 'hangup',
  sip_status_code: null,
  answered_by: 'human',
  disposition: null,
  agent_id: '01980000-0000-7000-8000-000000000000',
  agent_version: 4,
  caller_number: null,
};

const CallbackTransfer = Type.Object(
  {
    transfer_type: TransferType,
    transferred_to: Type.String(),
    fallback: Type.Optional(
      Type.Boolean({ description: 'Whether no worker had taken the call, so that it went to the fallback number.' }),
    ),
    attended: Type.Optional(Type.Boolean({ description: 'Whether the agent asks the target first.' })),
    reason: Type.Optional(EndReason),
    sip_status_code: Type.Optional(nullable(Type.Integer())),
  },
  { title: 'CallbackTransfer', description: 'The transfer that the callback reports.' },
);

const CallbackData = Type.Object(
  {
    ...callStateFields,
    direction: Direction,
    end_reason: nullable(EndReason),
    sip_status_code: nullable(Type.Integer()),
    answered_by: nullable(AnsweredBy),
    disposition: nullable(Type.String()),
    agent_id: nullable(Id),
    agent_version: nullable(Type.Integer()),
    caller_number: nullable(Type.String({ description: 'The number of the caller, on an inbound call.' })),
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
    description: 'The payload that receivers get.',
    examples: [{ type: 'call.completed', timestamp: '2026-01-15T09:31:30.500Z', data: example }],
  },
);

const string = (description: string) => ({ description, schema: { type: 'string' } });

/** An event in OpenAPI: a request that the service sends to `callback_url` and to webhook endpoints. */
export function describeEvent(type: EventType | typeof TEST_EVENT, body: TSchema) {
  return {
    post: {
      operationId: `on${type.replace(/(?:^|[._])(\w)/g, (_match, letter: string) => letter.toUpperCase())}`,
      tags: ['callbacks'],
      summary: type === TEST_EVENT ? 'A test of the endpoint, on request.' : WEBHOOK_EVENTS[type],
      description:
        'Retried with exponential backoff for a day, with the same `webhook-id` each time. Any 2xx response counts as delivered.',
      security: [],
      parameters: [
        { in: 'header', name: 'webhook-id', required: true, ...string('The same in every attempt.') },
        { in: 'header', name: 'webhook-timestamp', required: true, ...string('Seconds since 1970 of the attempt.') },
        {
          in: 'header',
          name: 'webhook-signature',
          required: true,
          ...string(
            '`v1,` and the HMAC-SHA256 of id, timestamp and body with the user’s secret; several, separated by spaces, during a rotation.',
          ),
        },
      ],
      requestBody: { required: true, content: { 'application/json': { schema: body } } },
      responses: { 204: { description: 'Received.' }, 500: { description: 'Will be retried.' } },
    },
  };
}

const TestEvent = Type.Object(
  {
    type: Type.String({ description: '`webhook.test`.' }),
    timestamp: DateTime,
    data: Type.Object({ endpoint_id: Id, message: Type.String() }, { title: 'TestEventData' }),
  },
  {
    title: 'TestEvent',
    description: 'Sent by `POST /api/webhook-endpoints/{endpoint_id}/test`, signed like any other.',
    examples: [
      {
        type: TEST_EVENT,
        timestamp: '2026-01-15T09:30:00.000Z',
        data: { endpoint_id: '01980000-0000-7000-8000-000000000005', message: TEST_MESSAGE },
      },
    ],
  },
);

/** Events whose body is not a `CallbackEvent`. */
const OTHERS: EventType[] = [
  'call.report',
  'call.analyzed',
  'chat.ended',
  'scheduled_call.changed',
  'budget.threshold',
  'test_run.finished',
  'campaign.started',
  'campaign.paused',
  'campaign.blocked',
  'campaign.completed',
  'campaign.canceled',
  'recipient.finished',
  'call.digits',
  'recording.stored',
  'recording.failed',
  'suppression.added',
  'agent.released',
  'quota.threshold',
];

/** The events whose body is a `CallbackEvent`, those of features that know no callbacks, and the test event. */
export const callbackWebhooks = Object.fromEntries([
  ...(Object.keys(WEBHOOK_EVENTS) as EventType[]).flatMap((type) =>
    OTHERS.includes(type) ? [] : [[type, describeEvent(type, CallbackEvent)]],
  ),
  ['call.digits', describeEvent('call.digits', CallDigits)],
  ['agent.released', describeEvent('agent.released', AgentReleased)],
  ['quota.threshold', describeEvent('quota.threshold', QuotaThreshold)],
  [TEST_EVENT, describeEvent(TEST_EVENT, TestEvent)],
]);
