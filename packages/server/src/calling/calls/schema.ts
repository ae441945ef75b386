import { Type } from 'typebox';
import { TimelineEntry } from '../../conversations/sessions/schema.ts';
import { TimelineKeys } from '../../conversations/turns/schema.ts';
import {
  AnsweredBy,
  callStateFields,
  DateTime,
  Direction,
  EndReason,
  Id,
  NumericString,
  nullable,
  Speaker,
} from '../../http/wire.ts';
import type { SipHeaders } from '../../lib/sip-headers.ts';
import { DisclosureReport } from '../compliance/schema.ts';
import { DialDecision } from '../outbound/decision-schema.ts';
import { CallMetadata, CallVariables, exampleJob, WorkerJob } from '../outbound/schema.ts';
import { TransferAttempt } from '../transfers/schema.ts';

export const CallState = Type.Object(callStateFields, {
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
  ...callStateFields,
  direction: Direction,
  from_number: nullable(Type.String({ description: 'The caller’s number. Null: the trunk’s number, or a browser.' })),
  to_number: nullable(Type.String({ description: 'The called number. Null for a browser call.' })),
  end_reason: nullable(EndReason),
  sip_status_code: nullable(Type.Integer()),
  user_id: Type.String(),
  agent_id: nullable(Id),
  agent_version: nullable(
    Type.Integer({ description: 'The version of the agent. Null: no agent, or a call of an earlier release.' }),
  ),
  caller_number: nullable(Type.String({ description: 'The number of the caller, on an inbound call.' })),
  caller_id: nullable(
    Type.String({
      description:
        'The caller id of an inbound call as the carrier sent it: `caller_number` is null if it is no phone number, such as `anonymous`.',
    }),
  ),
  created_at: DateTime,
};

const TrunkAttempt = Type.Object(
  {
    trunk: Type.String({ description: 'Its id, as in `LIVEKIT_SIP_TRUNK_ID`.' }),
    end_reason: nullable(Type.String({ description: 'Why the call went no further there; null if it was answered.' })),
    sip_status_code: nullable(Type.Integer()),
  },
  {
    title: 'TrunkAttempt',
    examples: [{ trunk: 'ST_a', end_reason: 'trunk_failure', sip_status_code: 503 }],
  },
);

/** The outcome of the call; null if none was reported. */
const outcomeFields = {
  answered_by: nullable(AnsweredBy),
  disposition: nullable(Type.String({ description: 'The reported result, in your own terms.' })),
};

const exampleCall = {
  call_id: '01980000-0000-7000-8000-000000000001',
  status: 'FAILED',
  room_name: 'call-01980000',
  call_status: 'FAILED',
  call_direction: 'OUTBOUND',
  outbound_phone_number: '+15005550001',
  direction: 'OUTBOUND',
  from_number: '+15005550010',
  to_number: '+15005550001',
  started_at: null,
  ended_at: '2026-01-15T09:31:30.500Z',
  duration: 0,
  end_reason: 'busy',
  sip_status_code: 486,
  user_id: 'user-1',
  agent_id: '01980000-0000-7000-8000-000000000000',
  agent_version: 4,
  caller_number: null,
  caller_id: null,
  created_at: '2026-01-15T09:30:00.000Z',
};

export const CallSummary = Type.Object(
  {
    ...summaryFields,
    total_cost: Type.Optional({
      ...NumericString,
      description: 'The cost so far of all its usage events. Only with `include=total_cost`.',
    }),
    last_transcript: Type.Optional(
      nullable(
        Type.Object(
          { speaker: Speaker, content: Type.String({ description: 'Its first 280 characters.' }) },
          { title: 'LastTranscript', description: 'The newest transcript; with `include=last_transcript`.' },
        ),
      ),
    ),
    analysis: Type.Optional(
      Type.Unsafe<Record<string, string>>({
        type: 'object',
        additionalProperties: { type: 'string' },
        title: 'CallValues',
        description:
          'What its analyses have found, by field, as text of up to 200 characters; several values with semicolons between them. Only with `include=analysis`.',
      }),
    ),
  },
  { title: 'CallSummary', examples: [exampleCall] },
);

const exampleSip = {
  call_id: null,
  bridge_call_id: 'SCL_aBcDeFgHiJkL',
  carrier_call_id: null,
  codec: null,
  q850_cause: null,
  jitter_ms: null,
  packet_loss_percent: null,
  headers_in: {},
  headers_out: { 'X-Account': 'C-17' },
};

const SipHeaderValues = Type.Unsafe<SipHeaders>({
  type: 'object',
  additionalProperties: { type: 'string' },
  title: 'SipHeaderValues',
  description: 'Values by the names of headers.',
});

/** Facts of a phone's sound that the bridge does not tell. */
const sipFigures = {
  codec: Type.String({ pattern: '^[A-Za-z0-9._/-]{1,32}$', description: 'Of the sound between carrier and bridge.' }),
  q850_cause: Type.Integer({ minimum: 0, maximum: 127, description: 'The cause of the end by ITU-T Q.850.' }),
  jitter_ms: Type.Number({
    minimum: 0,
    maximum: 60_000,
    description: 'Jitter of the phone’s sound. A worker measures it where the sound arrives.',
  }),
  packet_loss_percent: Type.Number({
    minimum: 0,
    maximum: 100,
    description: 'Packets of it that were lost. A worker sees those between bridge and worker.',
  }),
};

const CallSip = Type.Object(
  {
    call_id: nullable(
      Type.String({
        description: 'The Call-ID of the SIP dialog. Of an outbound call once its phone has left; null if unanswered.',
      }),
    ),
    bridge_call_id: nullable(Type.String({ description: 'The bridge’s own id of the call, as in its log.' })),
    carrier_call_id: nullable(Type.String({ description: 'The carrier’s id of an inbound call.' })),
    codec: nullable(sipFigures.codec),
    q850_cause: nullable(sipFigures.q850_cause),
    jitter_ms: nullable(sipFigures.jitter_ms),
    packet_loss_percent: nullable(sipFigures.packet_loss_percent),
    headers_in: { ...SipHeaderValues, description: 'Headers of an inbound call, by name in lower case.' },
    headers_out: { ...SipHeaderValues, description: 'Headers that an outbound call was given.' },
  },
  { title: 'CallSip', description: 'The SIP facts of a phone call. Null if none is known.', examples: [exampleSip] },
);

export const CallDetail = Type.Object(
  {
    ...summaryFields,
    ...outcomeFields,
    agent_name: nullable(Type.String()),
    variables: CallVariables,
    metadata: CallMetadata,
    ringing_timeout_s: nullable(Type.Integer({ description: 'As requested; null: `RINGING_TIMEOUT_S`.' })),
    max_duration_s: nullable(
      Type.Integer({ description: 'As requested, or as the agent’s `limits` say; null: `MAX_CALL_DURATION_S`.' }),
    ),
    record: nullable(Type.Boolean({ description: 'As requested; null: as the agent says.' })),
    sip: Type.Optional(nullable(CallSip)),
    trunks: Type.Optional(
      nullable(
        Type.Array(TrunkAttempt, {
          description:
            'The SIP trunks that its phone was dialled over, in order: the last one carried the call, or was the last to fail. Null until the outcome is known, and for calls that were not dialled.',
        }),
      ),
    ),
    transfers: Type.Array(TransferAttempt),
    dial_decisions: Type.Array(DialDecision, {
      description:
        'Why its phones were dialled, or not: the call’s, a second one if it was dialled late, and those of its transfers. Empty for users without dial policies.',
    }),
    keys: Type.Optional(
      Type.Array(TimelineKeys, {
        description:
          'Keys of the telephone that the caller pressed for `tools.collect_digits`, or the agent with `tools.dtmf`, as its worker has reported them. Deleted with the transcript, and not shown once the agent is deleted.',
      }),
    ),
    timeline: Type.Array(TimelineEntry),
  },
  {
    title: 'CallDetail',
    examples: [
      {
        ...exampleCall,
        answered_by: null,
        disposition: null,
        agent_name: 'Front desk',
        variables: { name: 'Ada' },
        metadata: { crm_id: 'C-17' },
        ringing_timeout_s: null,
        max_duration_s: 600,
        record: null,
        sip: exampleSip,
        trunks: [{ trunk: 'ST_a', end_reason: 'busy', sip_status_code: 486 }],
        transfers: [],
        dial_decisions: [],
        keys: [],
        timeline: [
          { status: 'CREATED', call_status: 'RINGING', failed_over: null, created_at: '2026-01-15T09:30:00.000Z' },
          { status: 'FAILED', call_status: 'FAILED', failed_over: null, created_at: '2026-01-15T09:31:30.500Z' },
        ],
      },
    ],
  },
);

export const CallJob = Type.Object(
  {
    job: WorkerJob,
    agent_changed: Type.Boolean({
      description:
        'Whether the agent has changed since its worker was dispatched, and the version of the call is not kept: the worker may have received other values.',
    }),
  },
  {
    title: 'CallJob',
    description: 'The worker’s job, built from the call and its version of the agent.',
    examples: [{ job: exampleJob, agent_changed: false }],
  },
);

export const CallOutcome = Type.Object(
  {
    answered_by: Type.Optional(AnsweredBy),
    disposition: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 64,
        description: 'The result in your own terms, such as `appointment_booked`.',
      }),
    ),
    hang_up: Type.Optional(Type.Boolean({ default: false, description: 'Ends the call.' })),
    sip: Type.Optional(
      Type.Object(
        {
          codec: Type.Optional(sipFigures.codec),
          q850_cause: Type.Optional(sipFigures.q850_cause),
          jitter_ms: Type.Optional(sipFigures.jitter_ms),
          packet_loss_percent: Type.Optional(sipFigures.packet_loss_percent),
        },
        {
          title: 'SipFigures',
          additionalProperties: false,
          description: 'Facts of the line, from a worker, or from the records of your own SIP equipment.',
        },
      ),
    ),
    disclosure: Type.Optional(DisclosureReport),
    opted_out: Type.Optional(
      Type.Boolean({
        default: false,
        description:
          'The person on the phone does not want to be called any more: its number is suppressed at once, as `compliance.opt_out` of the agent says. 422 for a call in a browser.',
      }),
    ),
  },
  {
    title: 'CallOutcome',
    additionalProperties: false,
    description: 'Absent fields are not changed.',
    examples: [{ answered_by: 'voicemail', hang_up: true }],
  },
);
