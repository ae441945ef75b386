import { Type } from 'typebox';
import { dateRange } from '../../http/date-range.ts';
import { nullable, ShortText } from '../../http/wire.ts';

/** Dimensions that analysed calls can be grouped by. */
export const GROUPS = ['value', 'day', 'agent', 'agent_version', 'extractor'] as const;
const NAME = `(${GROUPS.join('|')})`;
/** Groups of one report. */
export const MAX_ANALYSIS_GROUPS = 10_000;

export const AnalysisStatsQuery = Type.Object(
  {
    field: Type.String({
      pattern: '^[A-Za-z_][A-Za-z0-9_]{0,63}$',
      description: 'A field with choices, a boolean or a number; or `success`, or `score`.',
      examples: ['outcome'],
    }),
    group_by: Type.Optional(
      Type.String({
        pattern: `^${NAME}(,${NAME})*$`,
        maxLength: 100,
        default: 'value',
        description: `Names separated by commas, in the order of the groups: ${GROUPS.map((name) => `\`${name}\``).join(', ')}.`,
      }),
    ),
    ...dateRange,
    extractor: Type.Optional({ ...ShortText, description: 'Analyses by this extractor.' }),
    agent_id: Type.Optional({ ...ShortText, description: 'Calls of this agent.' }),
    agent_version: Type.Optional(Type.Integer({ minimum: 1, maximum: 2_147_483_647 })),
  },
  { additionalProperties: false },
);

const Group = Type.Object(
  {
    value: Type.Optional(nullable(Type.String({ description: 'Null for numbers.' }))),
    day: Type.Optional(Type.String({ format: 'date', description: 'The day (UTC) on which the calls began.' })),
    agent_id: Type.Optional(nullable(Type.String())),
    agent_version: Type.Optional(nullable(Type.Integer())),
    extractor: Type.Optional(Type.String()),
    calls: Type.Integer({ description: 'Number of calls with a value.' }),
    mean: nullable(
      Type.Number({ description: 'The mean of a number or a score, the share of true booleans; null for choices.' }),
    ),
  },
  { title: 'AnalysisGroup', description: 'Calls of one group, with the fields requested in `group_by`.' },
);

export const AnalysisStats = Type.Object(
  { field: Type.String(), groups: Type.Array(Group, { description: 'Sorted by the groups’ keys.' }) },
  {
    title: 'AnalysisStats',
    examples: [
      {
        field: 'outcome',
        groups: [
          { value: 'booked', calls: 84, mean: null },
          { value: 'none', calls: 36, mean: null },
        ],
      },
    ],
  },
);
