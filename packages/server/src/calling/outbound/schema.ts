import { type Static, Type } from 'typebox';
import { VersionNumber } from '../../conversations/versions/schema.ts';
import type { CallVariables as Variables } from '../../db/tables.ts';
import {
  CallbackUrl,
  DateTimeInput,
  Direction,
  FreeObject,
  Id,
  nullable,
  oneOf,
  PhoneNumber,
} from '../../http/wire.ts';
import type { JsonObject } from '../../lib/json.ts';
import { MAX_SIP_HEADER_LENGTH, MAX_SIP_HEADERS, SIP_HEADER_VALUE, type SipHeaders } from '../../lib/sip-headers.ts';
import { Purpose } from '../policies/schema.ts';

export const MAX_VARIABLES = 64;
/** Maximum bytes of JSON of a call's variables, and of its metadata. A dispatch carries both. */
export const MAX_CALL_DATA_BYTES = 16 * 1024;

export const CallVariables = Type.Unsafe<Variables>({
  type: 'object',
  additionalProperties: { type: ['string', 'number', 'boolean'] },
  maxProperties: MAX_VARIABLES,
  'x-max-bytes': MAX_CALL_DATA_BYTES,
  title: 'CallVariables',
  description: `Values for the agent's texts, such as \`{{name}}\`. At most ${MAX_VARIABLES} values and ${MAX_CALL_DATA_BYTES / 1024} KiB of JSON.`,
  examples: [{ name: 'Ada', order: 4711, express: true }],
});

export const CallMetadata = Type.Unsafe<JsonObject>({
  type: 'object',
  additionalProperties: true,
  'x-max-bytes': MAX_CALL_DATA_BYTES,
  title: 'CallMetadata',
  description: `Any data for the worker. At most ${MAX_CALL_DATA_BYTES / 1024} KiB of JSON.`,
  examples: [{ crm_id: 'C-17' }],
});

/** Seconds. The settings lower the maximum. */
const MaxDuration = Type.Integer({
  minimum: 1,
  maximum: 86_400,
  description: 'Seconds after which the call is hung up; at most `MAX_CALL_DURATION_S`, which is the default.',
});

/** Optional fields of every request that starts a call. */
export const callDataFields = {
  variables: Type.Optional(nullable(CallVariables)),
  metadata: Type.Optional(nullable(CallMetadata)),
  max_duration_s: Type.Optional(nullable(MaxDuration)),
};

/** The choice of a call that can be heard. */
export const recordField = {
  record: Type.Optional(
    nullable(
      Type.Boolean({
        description:
          'Whether the call is recorded, if its agent has `recording` in its configuration. Default: as `recording.enabled` says.',
      }),
    ),
  ),
};

/** Fields that a decision about dialling somebody goes by. */
export const dialPlaceFields = {
  purpose: Type.Optional(nullable(Purpose)),
  time_zone: Type.Optional(
    nullable(
      Type.String({
        maxLength: 64,
        description:
          'Of the person, for example `Europe/Berlin`. Default: by `region`, otherwise by the prefix of the number.',
      }),
    ),
  ),
  region: Type.Optional(
    nullable(
      Type.String({
        maxLength: 6,
        description: 'Country, or country and region, of the person by ISO 3166: `DE`, `US-TX`.',
      }),
    ),
  ),
};

/** Additional fields of calls to phones. */
const dialDataFields = {
  from_number: Type.Optional(
    nullable(
      Type.String({
        format: 'phone_number',
        description:
          "The caller ID: a number assigned to an agent of the user. Default: the agent's own, otherwise the trunk's.",
      }),
    ),
  ),
  sip_headers: Type.Optional(
    nullable(
      Type.Unsafe<SipHeaders>({
        type: 'object',
        additionalProperties: { type: 'string', maxLength: MAX_SIP_HEADER_LENGTH, pattern: SIP_HEADER_VALUE },
        maxProperties: MAX_SIP_HEADERS,
        title: 'SipHeaders',
        description: `Headers of the SIP request, each named in \`SIP_HEADERS_OUT\`. At most ${MAX_SIP_HEADERS}, with up to ${MAX_SIP_HEADER_LENGTH} printable ASCII characters.`,
        examples: [{ 'X-Account': 'C-17' }],
      }),
    ),
  ),
  ringing_timeout_s: Type.Optional(
    nullable(
      Type.Integer({
        minimum: 1,
        maximum: 79,
        description: 'Seconds that the phone rings; at most `RINGING_TIMEOUT_S`, which is the default.',
      }),
    ),
  ),
};

/** A date and a time of the day, without a zone. */
export const LOCAL_TIME = '^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}$';

export const IfMissed = oneOf(
  'IfMissed',
  ['expire', 'next_window'] as const,
  '`next_window`: it is tried again in the same hours of the following days.',
);

const Window = Type.Object(
  {
    earliest: Type.String({ pattern: LOCAL_TIME, description: 'By the clocks there, such as `2026-01-16T09:00`.' }),
    latest: Type.String({ pattern: LOCAL_TIME }),
    time_zone: Type.Optional(
      nullable(Type.String({ maxLength: 64, description: 'Default: that of the person, if it is certain.' })),
    ),
  },
  { title: 'CallWindow', additionalProperties: false, description: 'The call is placed between these times.' },
);

/** Fields of a call that is to be placed later. */
export const scheduleFields = {
  at: Type.Optional(nullable({ ...DateTimeInput, description: 'The instant at which the call is placed.' })),
  window: Type.Optional(nullable(Window)),
  if_missed: Type.Optional(nullable({ ...IfMissed, default: 'expire' })),
};

const IfNotNow = oneOf(
  'IfNotNow',
  ['schedule'] as const,
  'Schedules the call for the first moment that is allowed, in place of 409 `dial_deferred`.',
);

export const OutboundCall = Type.Object(
  {
    agent_id: Id,
    agent_version: Type.Optional(
      nullable({ ...VersionNumber, description: 'A version of the agent, whatever is released.' }),
    ),
    phone_number: PhoneNumber,
    callback_url: Type.Optional(nullable(CallbackUrl)),
    ...dialPlaceFields,
    ...callDataFields,
    ...recordField,
    ...dialDataFields,
    ...scheduleFields,
    if_not_now: Type.Optional(nullable(IfNotNow)),
  },
  {
    title: 'OutboundCall',
    examples: [
      {
        agent_id: '01980000-0000-7000-8000-000000000000',
        phone_number: '+15005550100',
        callback_url: 'https://example.com/calls',
        variables: { name: 'Ada' },
        metadata: { crm_id: 'C-17' },
        max_duration_s: 600,
      },
    ],
  },
);

export const OutboundCallStarted = Type.Object(
  {
    call_id: Id,
    room_name: Type.String(),
    status: Type.String({
      description:
        '`RINGING`, or `FAILED` when the media room could not be created. `SCHEDULED` only if the request asks for it.',
    }),
    call_status: Type.Optional(
      Type.Unsafe<'SCHEDULED'>({ type: 'string', enum: ['SCHEDULED'], description: 'Only of a scheduled call.' }),
    ),
    due_at: Type.Optional(Type.String({ format: 'date-time', description: 'Only of a scheduled call.' })),
  },
  {
    title: 'OutboundCallStarted',
    examples: [{ call_id: '01980000-0000-7000-8000-000000000001', room_name: 'call-01980000', status: 'RINGING' }],
  },
);

const jobFields = {
  version: Type.Unsafe<1>({ type: 'integer', enum: [1], description: 'The version of this schema.' }),
  session_id: Id,
  room_name: Type.String(),
  user_id: Type.String(),
  agent_id: Id,
  agent_name: Type.String(),
  agent_version: nullable(
    Type.Integer({
      description: 'The version that `agent_name` and `config` are of. Null: a call of an earlier release.',
    }),
  ),
  config: FreeObject,
  direction: Direction,
  from_number: nullable(
    Type.String({
      description: "INBOUND: the caller's number. OUTBOUND: the caller ID; null: the trunk's. WEB: null.",
    }),
  ),
  to_number: nullable(
    Type.String({ description: "INBOUND: the called number. OUTBOUND: the callee's number. WEB: null." }),
  ),
  variables: CallVariables,
  metadata: CallMetadata,
};

export const exampleJob = {
  version: 1,
  session_id: '01980000-0000-7000-8000-000000000001',
  room_name: 'call-01980000',
  user_id: 'user-1',
  agent_id: '01980000-0000-7000-8000-000000000000',
  agent_name: 'Front desk',
  agent_version: 4,
  config: { greeting: 'Hello {{name}}' },
  direction: 'OUTBOUND',
  from_number: '+15005550010',
  to_number: '+15005550100',
  variables: { name: 'Ada' },
  metadata: { crm_id: 'C-17' },
};

/** The metadata of a worker's job. Adding a field keeps the version; changing or removing one needs a new version. */
export const WorkerJob = Type.Object(jobFields, {
  title: 'WorkerJob',
  description:
    "The job metadata that an agent's worker receives when it is dispatched into a room, as JSON. Fields may be added within a version.",
  examples: [exampleJob],
});

export type WorkerJob = Static<typeof WorkerJob>;

/** The response that contains the schema. The extension adds the described type to the published components. */
export const WorkerJobSchema = Type.Unsafe<object>({
  type: 'object',
  additionalProperties: true,
  title: 'WorkerJobSchema',
  description: 'The JSON Schema (2020-12) of `WorkerJob`.',
  'x-describes': WorkerJob,
  examples: [{ $schema: 'https://json-schema.org/draft/2020-12/schema', title: 'WorkerJob', type: 'object' }],
});
