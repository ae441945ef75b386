import { type Static, Type } from 'typebox';
import type { CallVariables as Variables } from '../../db/tables.ts';
import { Direction, FreeObject, Id, nullable } from '../../http/wire.ts';
import type { JsonObject } from '../../lib/json.ts';

export const MAX_VARIABLES = 64;
/** Bytes of JSON that the variables, and the metadata, of one call may have. A dispatch carries both. */
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
  description: `Anything that the worker is to know. At most ${MAX_CALL_DATA_BYTES / 1024} KiB of JSON.`,
  examples: [{ crm_id: 'C-17' }],
});

/** Seconds. The settings lower the maximum. */
const MaxDuration = Type.Integer({
  minimum: 1,
  maximum: 86_400,
  description: 'Seconds after which the call is hung up; at most `MAX_CALL_DURATION_S`, which is the default.',
});

/** Fields that any call may be started with. */
export const callDataFields = {
  variables: Type.Optional(nullable(CallVariables)),
  metadata: Type.Optional(nullable(CallMetadata)),
  max_duration_s: Type.Optional(nullable(MaxDuration)),
};

/** Fields that a call to a phone may be started with besides. */
export const dialDataFields = {
  from_number: Type.Optional(
    nullable(
      Type.String({
        format: 'phone_number',
        description:
          "The number that the callee is shown: one that an agent of the user has. Default: the agent's own, otherwise the trunk's.",
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

const jobFields = {
  version: Type.Unsafe<1>({ type: 'integer', enum: [1], description: 'The version of this schema.' }),
  session_id: Id,
  room_name: Type.String(),
  user_id: Type.String(),
  agent_id: Id,
  agent_name: Type.String(),
  config: FreeObject,
  direction: Direction,
  from_number: nullable(
    Type.String({
      description:
        "INBOUND: the caller's. OUTBOUND: the number that the callee is shown; null: the trunk's. WEB: null.",
    }),
  ),
  to_number: nullable(
    Type.String({ description: "INBOUND: the number that was called. OUTBOUND: the callee's. WEB: null." }),
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
  config: { greeting: 'Hello {{name}}' },
  direction: 'OUTBOUND',
  from_number: '+15005550010',
  to_number: '+15005550100',
  variables: { name: 'Ada' },
  metadata: { crm_id: 'C-17' },
};

/** The metadata of a worker's job. A field may be added within a version; one that changes or goes makes the next. */
export const WorkerJob = Type.Object(jobFields, {
  title: 'WorkerJob',
  description:
    "The metadata of the job of an agent's worker, as JSON, which it gets when it is dispatched into a room. Fields may be added within a version.",
  examples: [exampleJob],
});

export type WorkerJob = Static<typeof WorkerJob>;

/** The answer with the schema itself. The extension puts what it describes among the published components. */
export const WorkerJobSchema = Type.Unsafe<object>({
  type: 'object',
  additionalProperties: true,
  title: 'WorkerJobSchema',
  description: 'The JSON Schema (2020-12) of `WorkerJob`.',
  'x-describes': WorkerJob,
  examples: [{ $schema: 'https://json-schema.org/draft/2020-12/schema', title: 'WorkerJob', type: 'object' }],
});
