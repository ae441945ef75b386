import { MAX_KEPT_BYTES } from '@switchboard/scenarios/outcome';
import { Type } from 'typebox';
import { Source, VersionNumber } from '../../conversations/versions/schema.ts';
import { PageQuery } from '../../http/paging.ts';
import { DateTime, Id, nullable, oneOf } from '../../http/wire.ts';
import { CallExportQuery } from '../history/schema.ts';
import { MAX_SUITE_SCENARIOS, MAX_TEXT } from '../scenarios/schema.ts';
import { conversation, TestConversation } from './conversation-schema.ts';
import { Replay } from './replay-schema.ts';

/** Test runs of one user that have not ended. */
export const MAX_OPEN_RUNS = 3;
/** Conversations of one test run. */
export const MAX_CONVERSATIONS = 2_000;
/** Runs of one scenario. */
export const MAX_RUNS = 100;
/** Calls that one test run replays. */
export const MAX_REPLAYS = 100;

export { MAX_KEPT_BYTES };

export const RUN = '01980000-0000-7000-8000-000000000013';
export const AGENT = '01980000-0000-7000-8000-000000000000';
const SCENARIO = '01980000-0000-7000-8000-000000000011';
const at = '2026-01-15T09:30:00.000Z';
const ended = '2026-01-15T09:30:04.000Z';
export const Count = (description: string) => Type.Integer({ minimum: 0, description });

const TestStatus = oneOf(
  'TestStatus',
  ['queued', 'running', 'passed', 'failed', 'invalid', 'canceled'],
  '`invalid`: nothing can be said about the agent, because the conversations could not be held, or not checked.',
);

const Cassette = oneOf(
  'CassetteMode',
  ['passthrough', 'record', 'replay'],
  '`record` keeps the answers of language models; `replay` answers with them, and asks nobody: it fails where a request was never recorded. Rules have no traffic, and are the same with each.',
);

/** How a run is held, whatever it runs. */
const runOptions = {
  agent_version: Source,
  runs: Type.Optional(
    Type.Integer({ minimum: 1, maximum: MAX_RUNS, description: 'Runs of each, instead of those that it asks for.' }),
  ),
  cassette: Type.Optional({ ...Cassette, default: 'passthrough' }),
};

const { from, to, agent_version, direction, end_reason, number, q, analysis } = CallExportQuery.properties;

export const ReplayedCalls = Type.Object(
  {
    from,
    to,
    agent_version,
    direction,
    end_reason,
    number,
    q,
    analysis: Type.Optional({
      ...analysis,
      description: 'Values of analyses by field, all of them: `{"outcome": "booked"}`.',
    }),
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: MAX_REPLAYS, default: MAX_REPLAYS })),
  },
  {
    title: 'ReplayedCalls',
    additionalProperties: false,
    description:
      'The newest calls of the agent that have ended, that match all of these filters of `GET /api/calls/`, and in which the caller has said something.',
  },
);

export const TestRunCreate = Type.Object(
  {
    agent_id: Id,
    ...runOptions,
    suite: Type.Optional({ ...Id, description: 'The id of a suite.' }),
    scenarios: Type.Optional(
      Type.Array(Id, {
        minItems: 1,
        maxItems: MAX_SUITE_SCENARIOS,
        uniqueItems: true,
        description: 'Instead of a suite: ids of scenarios.',
      }),
    ),
    texts: Type.Optional(
      Type.Array(Type.String({ minLength: 1, maxLength: MAX_TEXT }), {
        minItems: 1,
        maxItems: MAX_SUITE_SCENARIOS,
        description:
          'Instead of either: scenarios in YAML or JSON, which are run and not saved. Neither `base_version` nor a `cassette` goes with them.',
      }),
    ),
    calls: Type.Optional(ReplayedCalls),
    base_version: Type.Optional({
      ...VersionNumber,
      description:
        'Verdicts compare with the newest results of this version, of the scenario as it is now: `regressed` only if the intervals separate.',
    }),
  },
  {
    title: 'TestRunCreate',
    additionalProperties: false,
    examples: [{ agent_id: AGENT, agent_version: 'draft', scenarios: [SCENARIO] }],
  },
);

export const CallReplay = Type.Object(runOptions, {
  title: 'CallReplay',
  additionalProperties: false,
  examples: [{ agent_version: 'draft' }],
});

const run = {
  id: RUN,
  user_id: 'user-1',
  purpose: 'test',
  agent_id: AGENT,
  agent_version: 4,
  suite: null,
  cassette: 'passthrough',
  base_version: null,
  status: 'passed',
  is_simulated: false,
  scenarios: 1,
  passed: 1,
  failed: 0,
  invalid: 0,
  created_at: at,
  started_at: at,
  ended_at: ended,
};

export const TestRun = Type.Object(
  {
    id: Id,
    user_id: Type.String(),
    purpose: Type.Unsafe<'test'>({
      type: 'string',
      enum: ['test'],
      description:
        'It is no call: statistics and callbacks of calls do not know it, and budgets only with `count_tests`.',
    }),
    agent_id: Id,
    agent_version: { ...VersionNumber, description: 'The version that is tested; a draft has become one.' },
    suite: nullable({ ...Id, description: 'The suite that was run; null for chosen scenarios.' }),
    cassette: Cassette,
    base_version: nullable({ ...VersionNumber, description: 'With whose earlier results these are compared.' }),
    status: TestStatus,
    is_simulated: Type.Boolean({ description: 'Whether this is the sandbox, where rules answer instead of a model.' }),
    scenarios: Count('How many there are.'),
    passed: Count('Scenarios of which every run passed.'),
    failed: Count('Scenarios of which a run failed.'),
    invalid: Count('Scenarios without a result.'),
    created_at: DateTime,
    started_at: nullable(DateTime),
    ended_at: nullable(DateTime),
  },
  { title: 'TestRun', examples: [run] },
);

export const TestRunListQuery = Type.Object(
  {
    ...PageQuery,
    agent_id: Type.Optional({ ...Id, description: 'Only those of this agent.' }),
    suite: Type.Optional({ ...Id, description: 'Only those of this suite.' }),
  },
  { additionalProperties: false },
);

const Interval = Type.Object(
  { low: Type.Number(), high: Type.Number() },
  { title: 'RateInterval', description: 'The 95 % Wilson interval of the rate of passed runs.' },
);
const Base = Type.Object(
  { passed: Count('Runs that passed.'), failed: Count('Runs that failed.') },
  {
    title: 'TestBase',
    description: 'The newest result of the base version; null if it has none of the scenario as it is now.',
  },
);
export const PROBLEMS = ['failed: the agent says "ten" (not said)'];

export const TestResult = Type.Object(
  {
    id: Id,
    scenario_id: nullable({ ...Id, description: 'Null for a call that is replayed, and for one of `texts`.' }),
    replay: nullable(Replay),
    name: Type.String(),
    critical: Type.Boolean(),
    status: TestStatus,
    verdict: oneOf(
      'TestVerdict',
      ['passed', 'flaky', 'regressed', 'unknown'],
      '`flaky`: some runs passed. `regressed`: none did, or not every one of a critical scenario, or, with a base, the interval lies below that of the base. `unknown`: no run says anything yet.',
    ),
    base: nullable(Base),
    runs: Count('Runs that were asked for.'),
    passed: Count('Runs that passed.'),
    failed: Count('Runs that failed.'),
    invalid: Count('Runs that say nothing about the agent.'),
    interval: Interval,
    problems: Type.Array(Type.String(), { description: 'Why the first run that did not pass did not.' }),
    error: nullable(Type.String({ description: 'Why there is no result.' })),
    conversations: Type.Array(TestConversation, {
      description: 'Those that differ, beginning with those that did not pass.',
    }),
    is_complete: Type.Boolean({ description: 'Whether all that differ are listed; large ones are not kept.' }),
    started_at: nullable(DateTime),
    ended_at: nullable(DateTime),
  },
  {
    title: 'TestResult',
    examples: [
      {
        id: '01980000-0000-7000-8000-000000000014',
        scenario_id: SCENARIO,
        replay: null,
        base: null,
        name: 'asks when we open',
        critical: false,
        status: 'failed',
        verdict: 'regressed',
        runs: 1,
        passed: 0,
        failed: 1,
        invalid: 0,
        interval: { low: 0, high: 0.7935 },
        problems: PROBLEMS,
        error: null,
        conversations: [conversation],
        is_complete: true,
        started_at: at,
        ended_at: ended,
      },
    ],
  },
);

export const TestRunFinished = Type.Object(
  { type: Type.String({ description: '`test_run.finished`.' }), timestamp: DateTime, data: TestRun },
  {
    title: 'TestRunFinished',
    description: 'Sent once for each test run, to the webhook endpoints of the user.',
    examples: [{ type: 'test_run.finished', timestamp: ended, data: run }],
  },
);
