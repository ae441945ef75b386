import { Type } from 'typebox';
import { PageQuery } from '../../http/paging.ts';
import { DateTime, Id, nullable, oneOf } from '../../http/wire.ts';

const Status = oneOf(
  'CallbackStatus',
  ['pending', 'delivered', 'failed'],
  '`failed`: no longer retried, but kept; it can be redelivered.',
);

/** Types of events, each with its meaning. */
export const WEBHOOK_EVENTS = {
  'call.answered': 'The callee has picked up, or an inbound call was answered.',
  'call.completed': 'The call has ended normally: hung up, canceled, or transferred.',
  'call.failed': 'The call failed; its end reason says why.',
  'call.no_answer': 'The phone rang and nobody answered.',
  'call.transferred': 'The call was transferred; the transfer says where to.',
  'call.transfer_answered': 'The target of an attended transfer has answered, and talks to the agent.',
  'call.report': 'The call has ended, and everything that belongs to it is there.',
  'call.analyzed': 'An extractor has read the transcript of the call, or has failed to.',
  'call.transfer_failed': 'A transfer failed; the call continues as before.',
  'chat.ended': 'A chat has ended, and its costs are there.',
  'scheduled_call.changed': 'A scheduled call was placed, moved, canceled or given up, or an agent has booked it.',
  'budget.threshold': 'The costs of the month have reached a threshold of the budget.',
  'test_run.finished': 'A test run of an agent has ended; its status says how.',
  'campaign.started': 'A campaign has been started, or resumed.',
  'campaign.paused': 'A campaign has been paused.',
  'campaign.blocked': 'A running campaign dials nobody until somebody helps; `blocked` says why.',
  'campaign.completed': 'Everybody in a campaign has been reached, or given up.',
  'campaign.canceled': 'A campaign has been canceled.',
  'recipient.finished': 'A campaign is done with somebody; the state says how.',
  'call.digits': 'The caller has pressed keys that the agent had asked for.',
  'recording.stored': 'A recording has ended, and all of its audio is stored.',
  'recording.failed': 'A recording has ended without audio; its error says why.',
  'quota.threshold': 'The bytes stored for the user have reached a threshold of the quota.',
  'agent.released': 'Calls of an agent get other versions from now on; the arms say which.',
  'suppression.added': 'A number is not called any more, by a request or because somebody said so in a call.',
} as const;

export type EventType = keyof typeof WEBHOOK_EVENTS;

/** Sent on request only, to one endpoint, whichever events it subscribes to. */
export const TEST_EVENT = 'webhook.test';
export const TEST_MESSAGE = 'A test event, sent on request. Nothing has happened.';

export const WebhookEventType = oneOf(
  'WebhookEventType',
  Object.keys(WEBHOOK_EVENTS) as EventType[],
  'The type of an event.',
);

const Attempt = Type.Object(
  {
    attempted_at: DateTime,
    latency_ms: Type.Integer(),
    response_status: nullable(
      Type.Integer({ description: 'The status of the receiver’s response, if there was one.' }),
    ),
    error: nullable(
      Type.String({
        description:
          '`timeout`, `no_public_address` (an unknown host, or one that callbacks must not reach), `connection_failed`, `tls_failed`, or ' +
          '`not_signed` (the secret, or the body, cannot be decrypted).',
      }),
    ),
  },
  { title: 'CallbackAttempt' },
);

export const Callback = Type.Object(
  {
    id: Type.String({ description: 'The `webhook-id` of every attempt.' }),
    call_id: nullable({ ...Id, description: 'The call or chat; null for an event without one.' }),
    endpoint_id: nullable({ ...Id, description: 'The webhook endpoint; null for the `callback_url` of the call.' }),
    user_id: Type.String(),
    type: Type.String(),
    url: Type.String(),
    status: Status,
    attempts: Type.Array(Attempt, { description: 'The newest 50, in order.' }),
    created_at: DateTime,
    next_attempt_at: nullable(DateTime),
    delivered_at: nullable(DateTime),
  },
  {
    title: 'Callback',
    examples: [
      {
        id: '01980000-0000-7000-8000-000000000003',
        call_id: '01980000-0000-7000-8000-000000000001',
        endpoint_id: null,
        user_id: 'user-1',
        type: 'call.answered',
        url: 'https://example.com/calls',
        status: 'delivered',
        attempts: [{ attempted_at: '2026-01-15T09:30:00.050Z', latency_ms: 84, response_status: 200, error: null }],
        created_at: '2026-01-15T09:30:00.000Z',
        next_attempt_at: null,
        delivered_at: '2026-01-15T09:30:00.134Z',
      },
    ],
  },
);

export const CallbackListQuery = Type.Object(
  {
    ...PageQuery,
    status: Type.Optional(Status),
    call_id: Type.Optional(Id),
    endpoint_id: Type.Optional({ ...Id, description: 'Only those to this webhook endpoint.' }),
    is_failing: Type.Optional(
      Type.Boolean({
        default: false,
        description: 'Only those whose last attempt failed: given up, or to be attempted again.',
      }),
    ),
  },
  { additionalProperties: false },
);
