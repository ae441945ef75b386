import { Type } from 'typebox';
import { dateRange } from '../../http/date-range.ts';
import { amountByName, ByProvider, NumericString } from '../../http/wire.ts';
import { SessionUsageEvent } from '../../ledger/usage/schema.ts';

export const CostSummary = Type.Object(
  {
    total_cost: NumericString,
    this_month_cost: NumericString,
    by_provider: ByProvider,
  },
  {
    title: 'CostSummary',
    examples: [{ total_cost: '12.345678', this_month_cost: '0.00075', by_provider: { openai: '12.345678' } }],
  },
);

export const AgentCost = Type.Object(
  {
    agent_id: Type.String(),
    agent_name: Type.String(),
    total_cost: NumericString,
    session_count: Type.Integer(),
    event_count: Type.Integer(),
  },
  {
    title: 'AgentCost',
    examples: [
      {
        agent_id: '01980000-0000-7000-8000-000000000000',
        agent_name: 'Front desk',
        total_cost: '12.345678',
        session_count: 42,
        event_count: 1337,
      },
    ],
  },
);

export const PeriodCost = Type.Object(
  { date: Type.String(), total_cost: NumericString, by_provider: ByProvider },
  {
    title: 'PeriodCost',
    examples: [{ date: '2026-01-15', total_cost: '0.00075', by_provider: { openai: '0.00075' } }],
  },
);

// Unknown parameters are rejected: a report that ignored a filter would be booked with a wrong figure.
export const CostQuery = Type.Object(dateRange, { additionalProperties: false });

export const TimelineQuery = Type.Object(
  { period: Type.Optional(Type.String({ pattern: '^(daily|weekly|monthly)$', default: 'daily' })), ...dateRange },
  { additionalProperties: false },
);

export const SessionCosts = Type.Object(
  {
    session_id: Type.String(),
    total_cost: NumericString,
    by_event_type: amountByName({
      title: 'CostByEventType',
      description: 'Cost by event type.',
    }),
    by_provider: ByProvider,
    events: Type.Array(SessionUsageEvent, { description: 'A page of the events, oldest first.' }),
    next_cursor: Type.Unsafe<string | null>({
      type: ['string', 'null'],
      description: 'The `cursor` of the next events; null on the last page.',
    }),
  },
  {
    title: 'SessionCosts',
    examples: [
      {
        session_id: '01980000-0000-7000-8000-000000000001',
        total_cost: '0',
        by_event_type: {},
        by_provider: {},
        events: [],
        next_cursor: null,
      },
    ],
  },
);
