import { Type } from 'typebox';
import { ByProvider, NumericString } from '../http/wire.ts';
import { UsageEvent } from '../usage/schema.ts';

export const CostSummary = Type.Object(
  { total_cost: NumericString, this_month_cost: NumericString, by_provider: ByProvider },
  { title: 'CostSummary' },
);

export const AgentCost = Type.Object(
  {
    agent_id: Type.String(),
    agent_name: Type.String(),
    total_cost: NumericString,
    session_count: Type.Integer(),
    event_count: Type.Integer(),
  },
  { title: 'AgentCost' },
);

export const PeriodCost = Type.Object(
  { date: Type.String(), total_cost: NumericString, by_provider: ByProvider },
  { title: 'PeriodCost' },
);

export const TimelineQuery = Type.Object({
  period: Type.Optional(Type.String({ pattern: '^(daily|weekly|monthly)$', default: 'daily' })),
  start_date: Type.Optional(Type.String({ format: 'date', description: 'First day, UTC, inclusive.' })),
  end_date: Type.Optional(Type.String({ format: 'date', description: 'Last day, UTC, inclusive.' })),
});

export const SessionCosts = Type.Object(
  {
    session_id: Type.String(),
    total_cost: NumericString,
    by_event_type: Type.Record(Type.String(), NumericString),
    by_provider: ByProvider,
    events: Type.Array(UsageEvent),
  },
  { title: 'SessionCosts' },
);
