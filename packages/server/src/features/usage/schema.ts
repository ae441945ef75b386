import { Type } from 'typebox';
import { dateRange } from '../../http/date-range.ts';
import { PageQuery } from '../../http/paging.ts';
import { DateTime, DecimalInput, Id, NumericString, nullable, ShortText, UsageEventType } from '../../http/wire.ts';

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

export const UsageEvent = Type.Object(
  {
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
  },
  {
    title: 'UsageEvent',
    examples: [example],
  },
);

export const UsageEventCreate = Type.Object(
  {
    session_id: ShortText,
    user_id: ShortText,
    agent_id: Type.Optional(nullable(ShortText)),
    provider: ShortText,
    event_type: UsageEventType,
    quantity: DecimalInput,
    unit_cost: DecimalInput,
    total_cost: DecimalInput,
  },
  {
    title: 'UsageEventCreate',
    examples: [exampleCreate],
  },
);

export const MAX_BATCH = 1000;

export const UsageBatchCreate = Type.Object(
  { events: Type.Array(UsageEventCreate, { minItems: 1, maxItems: MAX_BATCH, description: 'Of one user.' }) },
  { title: 'UsageBatchCreate', additionalProperties: false, examples: [{ events: [exampleCreate] }] },
);

export const UsageBatch = Type.Object(
  { events: Type.Array(UsageEvent, { description: 'In the order they were sent.' }) },
  { title: 'UsageBatch', examples: [{ events: [example] }] },
);

export const UsageListQuery = Type.Object(
  {
    ...dateRange,
    session_id: Type.Optional({ ...ShortText, description: 'Events of this session.' }),
    agent_id: Type.Optional({ ...ShortText, description: 'Events of this agent.' }),
    provider: Type.Optional({ ...ShortText, description: 'Events of this provider.' }),
    event_type: Type.Optional(UsageEventType),
    ...PageQuery,
  },
  { additionalProperties: false },
);

export const USAGE_COLUMNS = {
  ...({ id: 'text', created_at: 'text', session_id: 'text', user_id: 'text', agent_id: 'text' } as const),
  ...({ provider: 'text', event_type: 'text', quantity: 'number', unit_cost: 'number', total_cost: 'number' } as const),
};

/** The fields whose digits are kept as they were sent. */
export const USAGE_DECIMALS = ['quantity', 'unit_cost', 'total_cost'] as const;
