import { type Static, Type } from 'typebox';
import { VersionNumber } from '../../conversations/versions/schema.ts';
import { FreeObject, Id, NumericString, nullable, oneOf, ShortText } from '../../http/wire.ts';
import { conversation, TestConversation } from './conversation-schema.ts';
import { AGENT, Count, MAX_RUNS, PROBLEMS, RUN } from './schema.ts';

/** Units of usage of models. */
export const USAGE_TYPES = [
  'llm_tokens',
  'llm_input_tokens',
  'llm_cached_tokens',
  'llm_output_tokens',
  'stt_minutes',
  'tts_characters',
] as const;
const UsageType = oneOf('TestUsageType', [...USAGE_TYPES], 'The unit that is counted.');

const TaskPrice = Type.Object(
  {
    provider: Type.String(),
    event_type: UsageType,
    model: nullable({ ...Type.String(), description: 'Null for all models that have no price of their own.' }),
    price: { ...NumericString, description: 'Of one unit.' },
  },
  { title: 'TaskPrice' },
);

export type ScenarioTask = Static<typeof ScenarioTask>;
export const ScenarioTask = Type.Object(
  {
    test_run_id: Id,
    user_id: Type.String(),
    agent_id: Id,
    agent_version: VersionNumber,
    config: { ...FreeObject, description: 'The configuration of that version.' },
    scenario: { ...FreeObject, description: 'A scenario (`switchboard.scenario/1`).' },
    runs: Type.Integer({ minimum: 1, maximum: MAX_RUNS, description: 'How many conversations to hold.' }),
    prices: Type.Optional(
      Type.Array(TaskPrice, {
        description:
          'The prices of models in the price book, for usage that the worker has no price of; absent if there are none.',
      }),
    ),
    cassette: Type.Optional(
      Type.Object(
        {
          mode: oneOf('TapeMode', ['record', 'replay'], 'As `cassette` of the test run.'),
          recorded: nullable({
            ...FreeObject,
            description: 'For `replay` the cassette (`switchboard.cassette/1`), null if nothing was recorded.',
          }),
        },
        { title: 'TaskCassette', description: 'Absent if models are asked, and nothing is kept.' },
      ),
    ),
  },
  {
    title: 'ScenarioTask',
    description: 'The payload of a task of the kind `scenario`.',
    examples: [
      {
        test_run_id: RUN,
        user_id: 'user-1',
        agent_id: AGENT,
        agent_version: 4,
        config: { instructions: 'We open at ten on Sundays.' },
        scenario: {
          scenario: 'asks when we open',
          caller: { script: [{ say: 'When do you open on Sunday?' }] },
          expect: [{ agent_says: 'ten' }],
        },
        runs: 1,
      },
    ],
  },
);

/** Kinds of usage in one result: models, and what is counted of each. */
const MAX_MODELS_USED = 200;

const TestUsage = Type.Object(
  {
    provider: ShortText,
    model: ShortText,
    event_type: UsageType,
    quantity: Type.String({ pattern: '^\\d{1,15}(\\.\\d{1,6})?$' }),
    unit_cost: Type.Optional(
      Type.String({
        pattern: '^\\d{1,38}(\\.\\d{1,18})?$',
        description: 'Without it, the price book decides.',
      }),
    ),
  },
  { title: 'TestUsage', additionalProperties: false },
);

export type ScenarioTaskResult = Static<typeof ScenarioTaskResult>;
export const ScenarioTaskResult = Type.Object(
  {
    passed: Count('Runs that passed.'),
    failed: Count('Runs that failed.'),
    invalid: Count('Runs that say nothing about the agent.'),
    problems: Type.Array(Type.String({ maxLength: 500 }), { maxItems: 200 }),
    conversations: Type.Array(TestConversation, { maxItems: MAX_RUNS }),
    is_complete: Type.Boolean(),
    used: Type.Optional(
      Type.Array(TestUsage, {
        maxItems: MAX_MODELS_USED,
        description: 'The usage of all models in all conversations; none of what was replayed.',
      }),
    ),
    cassette: Type.Optional({
      ...FreeObject,
      description: 'For the mode `record`: the cassette (`switchboard.cassette/1`), up to 512 KiB.',
    }),
  },
  {
    title: 'ScenarioTaskResult',
    description: 'The result of a task of the kind `scenario`: the counts sum to its `runs`.',
    additionalProperties: false,
    examples: [
      { passed: 0, failed: 1, invalid: 0, problems: PROBLEMS, conversations: [conversation], is_complete: true },
    ],
  },
);
