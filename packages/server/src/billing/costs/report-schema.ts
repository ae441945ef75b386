import { Type } from 'typebox';
import { VersionNumber } from '../../conversations/versions/schema.ts';
import { dateRange } from '../../http/date-range.ts';
import { PageQuery } from '../../http/paging.ts';
import { Direction, LedgerEventType, NumericString, nullable, oneOf, ShortText } from '../../http/wire.ts';

/** Dimensions that costs can be grouped by. */
export const GROUPS = [
  'day',
  'week',
  'month',
  'user',
  'agent',
  'agent_version',
  'provider',
  'model',
  'event_type',
  'direction',
] as const;
export type ReportGroup = (typeof GROUPS)[number];
const NAME = `(${GROUPS.join('|')})`;

export type CostPurpose = (typeof PURPOSES)[number];
const PURPOSES = ['call', 'test', 'all'] as const;

export const CostReportQuery = Type.Object(
  {
    group_by: Type.String({
      pattern: `^${NAME}(,${NAME})*$`,
      maxLength: 100,
      examples: ['day,agent'],
      description: `Names separated by commas, in the order of the groups: ${GROUPS.map((name) => `\`${name}\``).join(', ')}.`,
    }),
    ...dateRange,
    as_of: Type.Optional(Type.String({ format: 'date', description: 'The report as of the end of this day, UTC.' })),
    user_id: Type.Optional({ ...ShortText, description: 'Costs of this user. Needs a key of role `service`.' }),
    agent_id: Type.Optional({ ...ShortText, description: 'Costs of this agent.' }),
    agent_version: Type.Optional({ ...VersionNumber, description: 'Costs of this version of agents.' }),
    provider: Type.Optional({ ...ShortText, description: 'Costs of this provider.' }),
    model: Type.Optional({ ...ShortText, description: 'Costs of this model.' }),
    event_type: Type.Optional(LedgerEventType),
    direction: Type.Optional(Direction),
    purpose: Type.Optional({
      ...oneOf(
        'CostPurpose',
        PURPOSES,
        '`call`: calls and chats. `test`: models in test runs; budgets count it with `count_tests`.',
      ),
      default: 'call',
    }),
    ...PageQuery,
  },
  { additionalProperties: false },
);

const sums = {
  total_cost: NumericString,
  events: Type.Integer({ description: 'Entries of the ledger: events, and entries that price or correct them.' }),
};
const UnpricedEvents = Type.Integer({ description: 'Number of events without a price, which count as 0.' });

const CostGroup = Type.Object(
  {
    day: Type.Optional(Type.String({ format: 'date' })),
    week: Type.Optional(Type.String({ format: 'date', description: 'The Monday of the week.' })),
    month: Type.Optional(Type.String({ format: 'date', description: 'The first day of the month.' })),
    user_id: Type.Optional(Type.String()),
    agent_id: Type.Optional(nullable(Type.String())),
    agent_name: Type.Optional(
      nullable(Type.String({ description: '`Unknown` for an agent that the service does not know; null for none.' })),
    ),
    agent_version: Type.Optional(
      nullable(Type.Integer({ description: 'The version of the agent; null for entries without one.' })),
    ),
    provider: Type.Optional(Type.String()),
    model: Type.Optional(nullable(Type.String())),
    event_type: Type.Optional(LedgerEventType),
    direction: Type.Optional(nullable(Direction)),
    quantity: nullable({
      ...NumericString,
      description: 'Null unless the report is grouped or filtered by `event_type`, because units differ.',
    }),
    ...sums,
    unpriced_events: UnpricedEvents,
  },
  {
    title: 'CostGroup',
    description: 'The costs of one group, with the fields requested in `group_by`; null: entries without a value.',
  },
);

const UnpricedKind = Type.Object(
  {
    provider: Type.String(),
    model: nullable(Type.String()),
    event_type: LedgerEventType,
    events: Type.Integer(),
  },
  { title: 'UnpricedKind', description: 'Events of one kind that have no price.' },
);

export const CostReport = Type.Object(
  {
    currency: Type.String({ description: 'The currency of all amounts (ISO 4217).' }),
    ...sums,
    unpriced: Type.Object(
      {
        events: UnpricedEvents,
        kinds: Type.Array(UnpricedKind, { description: 'The kinds of unpriced events, most events first: up to 100.' }),
      },
      { title: 'UnpricedCosts' },
    ),
    items: Type.Array(CostGroup, { description: 'A page of the groups, sorted by their keys.' }),
    next_cursor: Type.Unsafe<string | null>({
      type: ['string', 'null'],
      description: 'The `cursor` of the next page; null on the last.',
    }),
  },
  {
    title: 'CostReport',
    description: 'A page of the groups, and the sums of all groups as of the first page.',
    examples: [
      {
        currency: 'USD',
        total_cost: '1.20075',
        events: 3,
        unpriced: {
          events: 1,
          kinds: [{ provider: 'openai', model: 'gpt-4o-mini', event_type: 'llm_input_tokens', events: 1 }],
        },
        items: [
          {
            month: '2026-01-01',
            event_type: 'llm_input_tokens',
            quantity: '5250',
            total_cost: '0.00075',
            events: 2,
            unpriced_events: 1,
          },
          {
            month: '2026-01-01',
            event_type: 'telephony_minutes',
            quantity: '12',
            total_cost: '1.2',
            events: 1,
            unpriced_events: 0,
          },
        ],
        next_cursor: null,
      },
    ],
  },
);

const KEY_COLUMNS = {
  day: { day: 'text' },
  week: { week: 'text' },
  month: { month: 'text' },
  user: { user_id: 'text' },
  agent: { agent_id: 'text', agent_name: 'text' },
  agent_version: { agent_version: 'number' },
  provider: { provider: 'text' },
  model: { model: 'text' },
  event_type: { event_type: 'text' },
  direction: { direction: 'text' },
} as const;

const FIGURE_COLUMNS = {
  quantity: 'number',
  total_cost: 'number',
  events: 'number',
  unpriced_events: 'number',
  currency: 'text',
} as const;

/** The columns of a report as CSV: the groups, then the figures. */
export function columnsOf(groups: readonly ReportGroup[]) {
  return { ...Object.assign({}, ...groups.map((name) => KEY_COLUMNS[name])), ...FIGURE_COLUMNS };
}
