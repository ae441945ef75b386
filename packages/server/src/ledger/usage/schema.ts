import { Type } from 'typebox';
import { dateRange } from '../../http/date-range.ts';
import { PageQuery } from '../../http/paging.ts';
import {
  DateTime,
  DecimalInput,
  Direction,
  Id,
  LedgerEventType,
  NumericString,
  nullable,
  ShortText,
  UsageEventType,
} from '../../http/wire.ts';

const example = {
  id: '01980000-0000-7000-8000-000000000001',
  session_id: '01980000-0000-7000-8000-000000000001',
  user_id: 'user-1',
  agent_id: null,
  provider: 'openai',
  event_type: 'llm_tokens',
  quantity: '1250',
  unit_cost: '0.0000006',
  total_cost: '0.00075',
  created_at: '2026-01-15T09:30:00.000Z',
};

const exampleCreate = {
  session_id: '01980000-0000-7000-8000-000000000000',
  user_id: 'user-1',
  provider: 'openai',
  event_type: 'llm_tokens',
  quantity: 1250,
  unit_cost: '0.0000006',
  total_cost: '0.00075',
};

const ledgerExample = {
  ...example,
  event_type: 'llm_output_tokens',
  model: 'gpt-4o-mini',
  direction: null,
  is_unpriced: false,
  adjusts: null,
  used_on: null,
};

const fields = {
  id: Id,
  session_id: Type.String(),
  user_id: Type.String(),
  agent_id: nullable(Type.String()),
  provider: Type.String(),
  event_type: UsageEventType,
  quantity: NumericString,
  unit_cost: NumericString,
  total_cost: NumericString,
  created_at: DateTime,
};

export const UsageEvent = Type.Object(fields, { title: 'UsageEvent', examples: [example] });

/** The specified fields of an event of any type. */
export const SessionUsageEvent = Type.Object(
  { ...fields, event_type: LedgerEventType },
  { title: 'SessionUsageEvent', examples: [example] },
);

export const LedgerEvent = Type.Object(
  {
    ...fields,
    event_type: LedgerEventType,
    model: nullable(Type.String()),
    direction: nullable(Direction),
    is_unpriced: Type.Boolean({
      description: 'Logged without a price: costs 0 until an adjusting entry adds the price.',
    }),
    adjusts: nullable({ ...Id, description: 'The event that this entry prices or corrects.' }),
    used_on: nullable({
      ...Type.String({ format: 'date' }),
      description:
        'The day (UTC) on which an adjusting entry counts: that of the event it adjusts. Null for all other entries.',
    }),
  },
  { title: 'LedgerEvent', examples: [ledgerExample] },
);

const createFields = {
  session_id: ShortText,
  user_id: ShortText,
  agent_id: Type.Optional(nullable(ShortText)),
  provider: ShortText,
  event_type: UsageEventType,
  quantity: DecimalInput,
  unit_cost: DecimalInput,
  total_cost: DecimalInput,
};

export const UsageEventCreate = Type.Object(createFields, { title: 'UsageEventCreate', examples: [exampleCreate] });

// Unknown fields are rejected: a misspelled unit_cost would be an event without a price.
export const UsageBatchEvent = Type.Object(
  {
    ...createFields,
    event_type: LedgerEventType,
    model: Type.Optional(nullable({ ...ShortText, description: 'The model, if prices depend on it.' })),
    unit_cost: Type.Optional(
      nullable({
        ...DecimalInput,
        description: 'Default: the price in the price book; without one the event is stored as unpriced.',
      }),
    ),
    total_cost: Type.Optional(
      nullable({ ...DecimalInput, description: 'Default: `quantity` times `unit_cost`, with all digits.' }),
    ),
  },
  {
    title: 'UsageBatchEvent',
    additionalProperties: false,
    examples: [{ ...exampleCreate, event_type: 'llm_output_tokens', model: 'gpt-4o-mini' }],
  },
);

export const MAX_BATCH = 1000;

export const UsageBatchCreate = Type.Object(
  { events: Type.Array(UsageBatchEvent, { maxItems: MAX_BATCH, description: 'Of one user.' }) },
  { title: 'UsageBatchCreate', additionalProperties: false, examples: [{ events: [exampleCreate] }] },
);

export const UsageBatch = Type.Object(
  { events: Type.Array(LedgerEvent, { description: 'In the order sent.' }) },
  { title: 'UsageBatch', examples: [{ events: [ledgerExample] }] },
);

export const UsageListQuery = Type.Object(
  {
    ...dateRange,
    session_id: Type.Optional({ ...ShortText, description: 'Events of this session.' }),
    agent_id: Type.Optional({ ...ShortText, description: 'Events of this agent.' }),
    provider: Type.Optional({ ...ShortText, description: 'Events of this provider.' }),
    model: Type.Optional({ ...ShortText, description: 'Events of this model.' }),
    event_type: Type.Optional(LedgerEventType),
    ...PageQuery,
  },
  { additionalProperties: false },
);

// New columns are appended, so that existing spreadsheets continue to work.
export const USAGE_COLUMNS = {
  id: 'text',
  created_at: 'text',
  session_id: 'text',
  user_id: 'text',
  agent_id: 'text',
  provider: 'text',
  event_type: 'text',
  quantity: 'number',
  unit_cost: 'number',
  total_cost: 'number',
  model: 'text',
  direction: 'text',
  is_unpriced: 'text',
  adjusts: 'text',
  used_on: 'text',
} as const;

/** Fields that keep their digits as sent. */
export const USAGE_DECIMALS = ['quantity', 'unit_cost', 'total_cost'] as const;
