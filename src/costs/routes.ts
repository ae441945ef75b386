import { Type } from 'typebox';
import { requireCaller } from '../http/caller.ts';
import { responses } from '../http/responses.ts';
import type { Server } from '../http/server.ts';
import { Id, UserHeader } from '../http/wire.ts';
import { InvalidRequest } from '../lib/errors.ts';
import type { Costs } from './costs.ts';
import { AgentCost, CostSummary, PeriodCost, SessionCosts, TimelineQuery } from './schema.ts';
import type { Period } from './store.ts';

const tags = ['costs'];
const headers = UserHeader;
const config = { userRequired: true };

export function costRoutes(app: Server, costs: Costs): void {
  app.get(
    '/api/costs/summary',
    {
      config,
      schema: {
        tags,
        summary: 'Total cost, cost of this month (UTC), cost per provider',
        headers,
        response: responses({ 200: CostSummary }, 422),
      },
    },
    async (request) => costs.summary(requireCaller(request)),
  );
  app.get(
    '/api/costs/by-agent',
    {
      config,
      schema: {
        tags,
        summary: 'Cost per agent, highest first',
        headers,
        response: responses({ 200: Type.Array(AgentCost) }, 422),
      },
    },
    async (request) => costs.byAgent(requireCaller(request)),
  );
  app.get(
    '/api/costs/timeline',
    {
      config,
      schema: {
        tags,
        summary: 'Cost over time, by day, week or month (UTC)',
        headers,
        querystring: TimelineQuery,
        response: responses({ 200: Type.Array(PeriodCost) }, 422),
      },
    },
    async (request) => {
      const { period, start_date, end_date } = request.query;
      if (start_date !== undefined && end_date !== undefined && start_date > end_date) {
        throw new InvalidRequest([
          { loc: ['query', 'end_date'], msg: 'Input should not be before start_date', type: 'date_before_start' },
        ]);
      }
      return costs.timeline(requireCaller(request), (period ?? 'daily') as Period, start_date, end_date);
    },
  );
  app.get(
    '/api/sessions/:session_id/costs',
    {
      schema: {
        tags,
        summary: 'What one session cost: in total, by event type, by provider, and the events',
        params: Type.Object({ session_id: Id }),
        headers,
        response: responses({ 200: SessionCosts }, 404, 422),
      },
    },
    async (request) => costs.ofSession(request.params.session_id, request.caller),
  );
}
