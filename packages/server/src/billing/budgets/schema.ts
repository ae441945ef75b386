import { Type } from 'typebox';
import { DateTime, DecimalInput, NumericString, nullable } from '../../http/wire.ts';

/** Maximum thresholds per budget. */
export const MAX_THRESHOLDS = 10;

const Threshold = Type.Integer({ minimum: 1, maximum: 1000 });
const PER_MINUTE =
  'Reserved for each minute of an open call. Null, the default: each open call reserves what the newest 20 calls that were answered and have ended cost on average; nothing, while there are fewer of the last twelve months. Chats reserve nothing.';
const MINUTES =
  'Minutes reserved for each open call, but no more than it can last: its maximum duration and a minute, rounded up to whole minutes. Null, the default: as long as it can last.';
const COUNT_TESTS =
  'Whether what test runs cost counts too. No test run starts then once the limit is reached, whether calls are refused or not: 402 `budget_exceeded`.';
const MONTH = 'The month (UTC), as `2026-01`.';

export const BudgetPut = Type.Object(
  {
    monthly_limit: nullable({
      ...DecimalInput,
      description: 'Cost of a calendar month (UTC), in the currency of the usage events. Null: no limit.',
    }),
    thresholds: Type.Optional(
      Type.Array(Threshold, {
        maxItems: MAX_THRESHOLDS,
        description:
          'Percentages of the limit, each reported once a month by a `budget.threshold` event. None by default.',
      }),
    ),
    refuse_calls: Type.Optional(
      Type.Boolean({
        description: 'Whether to refuse new calls and chats once the limit is reached. False by default.',
      }),
    ),
    end_calls: Type.Optional(
      Type.Boolean({ description: 'Whether to end open calls and chats once the limit is reached. False by default.' }),
    ),
    count_tests: Type.Optional(Type.Boolean({ description: `${COUNT_TESTS} False by default.` })),
    cost_per_minute: Type.Optional(nullable({ ...DecimalInput, description: PER_MINUTE })),
    expected_minutes: Type.Optional(nullable(Type.Integer({ minimum: 1, maximum: 1440, description: MINUTES }))),
  },
  {
    title: 'BudgetPut',
    additionalProperties: false,
    examples: [
      {
        monthly_limit: '250',
        thresholds: [50, 80, 100],
        refuse_calls: true,
        cost_per_minute: '0.12',
        expected_minutes: 5,
      },
    ],
  },
);

const example = {
  user_id: 'user-1',
  monthly_limit: '250',
  thresholds: [50, 80, 100],
  refuse_calls: true,
  end_calls: false,
  count_tests: false,
  cost_per_minute: '0.12',
  expected_minutes: 5,
  month: '2026-01',
  spent: '131.25',
  reserved: '1.2',
  reached: [50],
  updated_at: '2026-01-15T09:30:00.000Z',
};

export const Budget = Type.Object(
  {
    user_id: Type.String(),
    monthly_limit: nullable(NumericString),
    thresholds: Type.Array(Type.Integer()),
    refuse_calls: Type.Boolean(),
    end_calls: Type.Boolean(),
    count_tests: Type.Boolean({ description: COUNT_TESTS }),
    cost_per_minute: nullable({ ...NumericString, description: PER_MINUTE }),
    expected_minutes: nullable(Type.Integer({ description: MINUTES })),
    month: Type.String({ description: MONTH }),
    spent: {
      ...NumericString,
      description: 'Cost of the month so far, including every event that was answered with 201.',
    },
    reserved: {
      ...NumericString,
      description: 'What open calls may still cost: the estimate of each, less what it has cost so far.',
    },
    reached: Type.Array(Type.Integer(), { description: 'The thresholds that were already reported this month.' }),
    updated_at: DateTime,
  },
  { title: 'Budget', examples: [example] },
);

const BudgetThresholdData = Type.Object(
  {
    user_id: Type.String(),
    month: Type.String({ description: MONTH }),
    threshold: Type.Integer({ description: 'The percentage that was reached.' }),
    monthly_limit: NumericString,
    spent: { ...NumericString, description: 'Cost of the month when the threshold was noticed.' },
  },
  { title: 'BudgetThresholdData' },
);

export const BudgetThreshold = Type.Object(
  { type: Type.String({ description: '`budget.threshold`.' }), timestamp: DateTime, data: BudgetThresholdData },
  {
    title: 'BudgetThreshold',
    description: 'Sent once a month for each threshold, to the webhook endpoints of the user.',
    examples: [
      {
        type: 'budget.threshold',
        timestamp: '2026-01-15T09:30:05.000Z',
        data: { user_id: 'user-1', month: '2026-01', threshold: 50, monthly_limit: '250', spent: '131.25' },
      },
    ],
  },
);
