import { MAX_CASSETTE_BYTES } from '@switchboard/scenarios/cassette';
import { MAX_SCENARIO_LENGTH } from '@switchboard/scenarios/schema';
import { Type } from 'typebox';
import { DateTime, FreeObject, Id, ShortText } from '../../http/wire.ts';

/** Scenarios of one user, suites of one user, and scenarios of one suite. */
export const MAX_SCENARIOS = 500;
export const MAX_SUITES = 100;
export const MAX_SUITE_SCENARIOS = 200;
/** Characters of a scenario. */
export const MAX_TEXT = MAX_SCENARIO_LENGTH;
/** Bytes of all scenarios that one request sends, as JSON: with aliases, a hundred times as much as their texts. */
export const MAX_READ_BYTES = 4 * 1024 * 1024;
/** Mistakes of a scenario that one response lists. */
export const MAX_MISTAKES = 100;

export { MAX_CASSETTE_BYTES };

const SCENARIO = '01980000-0000-7000-8000-000000000011';
const SUITE = '01980000-0000-7000-8000-000000000012';
const EXAMPLE = `scenario: asks when we open
caller:
  script:
    - { say: "When do you open on Sunday?" }
expect:
  - { agent_says: "ten" }
`;
const times = { created_at: '2026-01-15T09:30:00.000Z', updated_at: '2026-01-15T09:30:00.000Z' };
const example = { id: SCENARIO, user_id: 'user-1', name: 'asks when we open', ...times };

const summary = {
  id: Id,
  user_id: Type.String(),
  name: Type.String({ description: 'The `scenario` of its text.' }),
  created_at: DateTime,
  updated_at: DateTime,
};

export const ScenarioSummary = Type.Object(summary, { title: 'ScenarioSummary', examples: [example] });

export const Scenario = Type.Object(
  { ...summary, text: Type.String({ description: 'As it was sent.' }) },
  { title: 'Scenario', examples: [{ ...example, text: EXAMPLE }] },
);

export const ScenarioPut = Type.Object(
  { text: Type.String({ minLength: 1, maxLength: MAX_TEXT, description: 'YAML or JSON, see docs/agent-tests.md.' }) },
  { title: 'ScenarioPut', additionalProperties: false, examples: [{ text: EXAMPLE }] },
);

export const ScenarioDraft = Type.Object(
  { name: Type.String(), text: Type.String({ description: 'YAML, to be changed and saved.' }) },
  { title: 'ScenarioDraft', examples: [{ name: 'asks when we open', text: EXAMPLE }] },
);

const suite = {
  id: SUITE,
  user_id: 'user-1',
  name: 'Front desk',
  scenarios: [SCENARIO],
  created_at: times.created_at,
  changed_at: times.updated_at,
};

export const Suite = Type.Object(
  {
    id: Id,
    user_id: Type.String(),
    name: Type.String(),
    scenarios: Type.Array(Id, { description: 'The ids of its scenarios, in order. Deleted ones are not among them.' }),
    created_at: DateTime,
    changed_at: {
      ...DateTime,
      description: 'When it, or one of its scenarios, was last changed: earlier test runs do not open a gate.',
    },
  },
  { title: 'Suite', examples: [suite] },
);

export const SuitePut = Type.Object(
  {
    name: ShortText,
    scenarios: Type.Array(Id, { minItems: 1, maxItems: MAX_SUITE_SCENARIOS, uniqueItems: true }),
  },
  { title: 'SuitePut', additionalProperties: false, examples: [{ name: 'Front desk', scenarios: [SCENARIO] }] },
);

export const ScenarioCassette = Type.Object(
  {
    scenario_id: Id,
    agent_id: Id,
    agent_version: Type.Integer({ minimum: 1, description: 'The version with which it was recorded.' }),
    exchanges: Type.Integer({ minimum: 1, description: 'How many different requests it has.' }),
    recorded_at: DateTime,
    content: { ...FreeObject, description: 'The cassette (`switchboard.cassette/1`), see docs/agent-tests.md.' },
  },
  {
    title: 'ScenarioCassette',
    examples: [
      {
        scenario_id: SCENARIO,
        agent_id: '01980000-0000-7000-8000-000000000000',
        agent_version: 4,
        exchanges: 1,
        recorded_at: times.created_at,
        content: { scenario: 'asks when we open', settings: [], exchanges: [] },
      },
    ],
  },
);
