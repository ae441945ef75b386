import { Type } from 'typebox';
import { dateRange } from '../../http/date-range.ts';
import { AnsweredBy, Direction, EndReason, nullable, ShortText } from '../../http/wire.ts';
import { ACCURACY } from '../../lib/histogram.ts';
import { VersionNumber } from '../versions/schema.ts';

/** Dimensions that calls can be grouped by. */
export const GROUPS = ['day', 'user', 'agent', 'agent_version', 'direction', 'end_reason', 'answered_by'] as const;
const NAME = `(${GROUPS.join('|')})`;

export const CallStatsQuery = Type.Object(
  {
    group_by: Type.Optional(
      Type.String({
        pattern: `^${NAME}(,${NAME})*$`,
        maxLength: 100,
        description: `Names separated by commas, in the order of the groups: ${GROUPS.map((name) => `\`${name}\``).join(', ')}.`,
      }),
    ),
    ...dateRange,
    agent_id: Type.Optional({ ...ShortText, description: 'Calls of this agent.' }),
    agent_version: Type.Optional({ ...VersionNumber, description: 'Calls of this version of agents.' }),
    direction: Type.Optional(Direction),
    end_reason: Type.Optional(EndReason),
    answered_by: Type.Optional(AnsweredBy),
  },
  { additionalProperties: false },
);

const percent = (100 * ACCURACY).toFixed(1);
const Times = Type.Object(
  {
    mean_s: Type.Number(),
    p50_s: Type.Number({ description: `Accurate to within ${percent} %.` }),
    p95_s: Type.Number({ description: `Accurate to within ${percent} %.` }),
  },
  { title: 'CallTimes', description: 'Seconds, with millisecond precision.' },
);

const figures = {
  calls: Type.Integer({ description: 'Number of calls that have ended.' }),
  answered: Type.Integer({ description: 'Number of these calls that were answered.' }),
  answer_rate: nullable(
    Type.Number({ description: '`answered` divided by `calls`, from 0 to 1; null without calls.' }),
  ),
  ring: nullable({
    ...Times,
    description: 'From the beginning of a call to its answer, or to its end where nobody answered.',
  }),
  talk: nullable({ ...Times, description: 'The duration of answered calls; null if there are none.' }),
};

const CallGroup = Type.Object(
  {
    day: Type.Optional(Type.String({ format: 'date', description: 'The day (UTC) on which the calls began.' })),
    user_id: Type.Optional(Type.String()),
    agent_id: Type.Optional(nullable(Type.String())),
    agent_name: Type.Optional(
      nullable(Type.String({ description: 'The agent’s current name; null if it was deleted.' })),
    ),
    agent_version: Type.Optional(
      nullable(Type.Integer({ description: 'The version of the agent; null for calls without one.' })),
    ),
    direction: Type.Optional(Direction),
    end_reason: Type.Optional(nullable(EndReason)),
    answered_by: Type.Optional(nullable(AnsweredBy)),
    ...figures,
  },
  { title: 'CallGroup', description: 'The calls of one group, with the fields requested in `group_by`.' },
);

const example = {
  calls: 120,
  answered: 84,
  answer_rate: 0.7,
  ring: { mean_s: 14.205, p50_s: 11.9, p95_s: 38.2 },
  talk: { mean_s: 95.12, p50_s: 81.4, p95_s: 240.7 },
};

export const CallStatsReport = Type.Object(
  {
    total: Type.Object(figures, { title: 'CallTotal', description: 'All calls found.' }),
    groups: Type.Array(CallGroup, {
      description: 'Sorted by the groups’ keys; empty without `group_by`.',
    }),
  },
  {
    title: 'CallStats',
    examples: [{ total: example, groups: [{ day: '2026-01-15', direction: 'OUTBOUND', ...example }] }],
  },
);

const KEY_COLUMNS = {
  day: { day: 'text' },
  user: { user_id: 'text' },
  agent: { agent_id: 'text', agent_name: 'text' },
  agent_version: { agent_version: 'number' },
  direction: { direction: 'text' },
  end_reason: { end_reason: 'text' },
  answered_by: { answered_by: 'text' },
} as const;

const FIGURE_COLUMNS = {
  calls: 'number',
  answered: 'number',
  answer_rate: 'number',
  ring_mean_s: 'number',
  ring_p50_s: 'number',
  ring_p95_s: 'number',
  talk_mean_s: 'number',
  talk_p50_s: 'number',
  talk_p95_s: 'number',
} as const;

/** The columns of a report as CSV: the groups, then the figures. */
export function columnsOf(groups: readonly (typeof GROUPS)[number][]) {
  return { ...Object.assign({}, ...groups.map((name) => KEY_COLUMNS[name])), ...FIGURE_COLUMNS };
}
