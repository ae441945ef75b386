import { Type } from 'typebox';
import { DateTime, DecimalInput, NumericString, nullable } from '../../http/wire.ts';

/** Maximum thresholds per budget. */
export const MAX_THRESHOLDS = 10;

const Threshold = Type.Integer({ minimum: 1, maximum: 1000 });
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
      Type.Boolean({ description: 'Whether to refuse new calls once the limit is reached. False by default.' }),
    ),
    end_calls: Type.Optional(
      Type.Boolean({ description: 'Whether to end open calls once the limit is reached. False by default.' }),
    ),
  },
  {
    title: 'BudgetPut',
    additionalProperties: false,
    examples: [{ monthly_limit: '250', thresholds: [50, 80, 100], refuse_calls: true }],
  },
);

const example = {
  user_id: 'user-1',
  monthly_limit: '250',
  thresholds: [50, 80, 100],
  refuse_calls: true,
  end_calls: false,
  month: '2026-01',
  spent: '131.25',
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
    month: Type.String({ description: MONTH }),
    spent: {
      ...NumericString,
      description: 'Cost of the month so far, including every event that was answered with 201.',
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
