import { Type } from 'typebox';
import { requireCaller } from '../../http/caller.ts';
import { daysOf } from '../../http/date-range.ts';
import { PageQuery, pageRequest } from '../../http/paging.ts';
import { responses } from '../../http/responses.ts';
import type { Server } from '../../http/server.ts';
import { Id, listOf, UserHeader } from '../../http/wire.ts';
import type { Costs } from './costs.ts';
import { AgentCost, CostQuery, CostSummary, PeriodCost, SessionCosts, TimelineQuery } from './schema.ts';
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
          'The user\u2019s total cost, the cost of the current calendar month (UTC), and the cost of each provider. Exact to the last digit, and includes every event that was answered with 201. `start_date` and `end_date` apply to all figures except `this_month_cost`.',
        headers,
        querystring: CostQuery,
        response: responses({ 200: CostSummary }, 422),
      },
    },
    async (request) => costs.summary(requireCaller(request), daysOf(request.query)),
  );
  app.get(
    '/api/costs/by-agent',
    {
      config,
      schema: {
        tags,
        operationId: 'listCostsByAgent',
        summary: 'Get the cost of each agent',
        description:
          'Highest cost first. Events without an agent are left out; beyond 5,000 agents those that cost least are summed up under `other`.',
        headers,
        querystring: CostQuery,
        response: responses({ 200: listOf(AgentCost) }, 422),
      },
    },
    async (request) => costs.byAgent(requireCaller(request), daysOf(request.query)),
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
        response: responses({ 200: listOf(PeriodCost) }, 422),
      },
    },
    async (request) => {
      const period = (request.query.period ?? 'daily') as Period;
      return costs.timeline(requireCaller(request), period, daysOf(request.query));
    },
  );
  app.get(
    '/api/sessions/:session_id/costs',
    {
      schema: {
        tags,
        operationId: 'getSessionCosts',
        summary: 'Get the cost of a session',
        description: 'In total, by event type and by provider, with a page of the events. The sums cover all events.',
        params: Type.Object({ session_id: Id }),
        headers,
        querystring: Type.Object(PageQuery, { additionalProperties: false }),
        response: responses({ 200: SessionCosts }, 404, 422),
      },
    },
    async (request) => costs.ofSession(request.params.session_id, pageRequest(request.query), request.caller),
  );
}
