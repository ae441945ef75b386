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
        operationId: 'getCostSummary',
        summary: 'Get the cost summary',
        description:
          'The user\u2019s total cost, the cost of the current calendar month (UTC), and the cost of each provider. Exact to the last digit and current to the last 201.',
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
        operationId: 'listCostsByAgent',
        summary: 'Get the cost of each agent',
        description: 'Highest cost first. Events without an agent are left out.',
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
        operationId: 'getCostTimeline',
        summary: 'Get the cost over time',
        description:
          '`date` is the first day of each period (UTC; weeks start on Monday), ascending. Periods without events are left out.',
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
        operationId: 'getSessionCosts',
        summary: 'Get the cost of a session',
        description: 'In total, by event type and by provider, with the events.',
        params: Type.Object({ session_id: Id }),
        headers,
        response: responses({ 200: SessionCosts }, 404, 422),
      },
    },
    async (request) => costs.ofSession(request.params.session_id, request.caller),
  );
}
