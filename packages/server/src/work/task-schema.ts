import { type Static, Type } from 'typebox';
import { DateTime, FreeObject, Id, oneOf } from '../http/wire.ts';

export const MAX_CAPACITY = 100;
const MAX_WAIT_S = 30;
/** Partial results in one request. */
export const MAX_EVENTS = 100;

export type TaskKindName = Static<typeof TaskKindName>;
const TaskKindName = oneOf(
  'TaskKind',
  ['chat_turn', 'scenario', 'analysis', 'provider_check', 'function_check'],
  'The kind of a task, which has a schema of its payload and one of its result.',
);
const LeaseToken = Type.Integer({
  minimum: 1,
  maximum: Number.MAX_SAFE_INTEGER,
  description: 'As in the claimed task: proves who holds it.',
});

export const TaskClaim = Type.Object(
  {
    kind: TaskKindName,
    capacity: Type.Optional(
      Type.Integer({ minimum: 1, maximum: MAX_CAPACITY, default: 1, description: 'Maximum number of tasks.' }),
    ),
    calls: Type.Optional(
      Type.Object(
        {
          worker: Type.String({ minLength: 1, maxLength: 200, description: 'The name of this worker.' }),
          max: Type.Integer({ minimum: 0, maximum: 10_000, description: 'Calls that it takes at the same time.' }),
        },
        {
          title: 'CallCapacity',
          additionalProperties: false,
          description:
            'Of a worker that takes calls as well, from then on for 90 seconds; with `max` 0 it takes no more. Ignored with a key that is bound to a user. Campaigns dial only as many people as there are workers for, less what they leave to other calls.',
        },
      ),
    ),
    wait_s: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: MAX_WAIT_S,
        default: 0,
        description: 'Seconds to wait for the first task.',
      }),
    ),
  },
  { title: 'TaskClaim', additionalProperties: false, examples: [{ kind: 'chat_turn', capacity: 4 }] },
);

const task = {
  task_id: '01980000-0000-7000-8000-000000000007',
  kind: 'chat_turn',
  attempt: 1,
  lease_token: 1,
  lease_expires_at: '2026-01-15T09:30:30.000Z',
  payload: { chat_id: '01980000-0000-7000-8000-000000000001', messages: [{ speaker: 'USER', content: 'Hello?' }] },
};

const Task = Type.Object(
  {
    task_id: Id,
    kind: TaskKindName,
    attempt: Type.Integer({ description: '1 for the first worker that holds it.' }),
    lease_token: LeaseToken,
    lease_expires_at: {
      ...DateTime,
      description: 'Another worker may get the task then, unless a heartbeat extends it.',
    },
    payload: {
      ...FreeObject,
      description:
        'By its kind: `ChatTurn`, `ScenarioTask`, `AnalysisTask`, `ProviderCheckCreate`, `FunctionCheckTask`.',
    },
  },
  { title: 'Task', examples: [task] },
);

export const ClaimedTasks = Type.Object(
  { tasks: Type.Array(Task) },
  { title: 'ClaimedTasks', examples: [{ tasks: [task] }] },
);

export const TaskLease = Type.Object(
  { lease_token: LeaseToken },
  { title: 'TaskLease', additionalProperties: false, examples: [{ lease_token: 1 }] },
);

export const TaskExtended = Type.Object(
  { lease_expires_at: DateTime },
  { title: 'TaskExtended', examples: [{ lease_expires_at: task.lease_expires_at }] },
);

export const TaskEvents = Type.Object(
  {
    lease_token: LeaseToken,
    events: Type.Array(
      { ...FreeObject, description: 'By its kind: `ChatTurnEvent`, `AnalysisEvent`; other kinds have none.' },
      { minItems: 1, maxItems: MAX_EVENTS, description: 'In the order in which they happened.' },
    ),
  },
  {
    title: 'TaskEvents',
    additionalProperties: false,
    examples: [{ lease_token: 1, events: [{ type: 'words', text: 'We open ' }] }],
  },
);

/** Bytes of a result as JSON. */
const MAX_RESULT_BYTES = 768 * 1024;

export const TaskResult = Type.Object(
  {
    lease_token: LeaseToken,
    result: {
      ...FreeObject,
      // Conversations of a scenario, and what was recorded of them.
      'x-max-bytes': MAX_RESULT_BYTES,
      description:
        'By its kind: `ChatTurnResult`, `ScenarioTaskResult`, `AnalysisResult`, `ProviderCheckResult`, `FunctionCheckResult`.',
    },
  },
  { title: 'TaskResult', additionalProperties: false, examples: [{ lease_token: 1, result: { content: 'Hello.' } }] },
);

export const TaskFailure = Type.Object(
  {
    lease_token: LeaseToken,
    error: Type.String({ minLength: 1, maxLength: 500, description: 'For operators.' }),
    retryable: Type.Boolean({ description: 'Whether another attempt may succeed.' }),
    detail: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 500,
        description: 'For whoever waits for the result, if this was the last attempt.',
      }),
    ),
  },
  {
    title: 'TaskFailure',
    additionalProperties: false,
    examples: [{ lease_token: 1, error: 'The model did not answer.', retryable: true }],
  },
);

export const TaskEnded = Type.Object({ task_id: Id }, { title: 'TaskEnded', examples: [{ task_id: task.task_id }] });
