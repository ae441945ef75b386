import { Type } from 'typebox';
import { actorOf, validUserId } from '../../http/caller.ts';
import { SMALL_BODY } from '../../http/json-body.ts';
import { responses } from '../../http/responses.ts';
import type { Server } from '../../http/server.ts';
import { UserHeader } from '../../http/wire.ts';
import type { Budgets } from './budgets.ts';
import { Budget, BudgetPut } from './schema.ts';

const tags = ['costs'];
const params = Type.Object({ user_id: Type.String() });

export function budgetRoutes(app: Server, budgets: Budgets): void {
  app.get(
    '/api/budgets/:user_id',
    {
      schema: {
        tags,
        operationId: 'getBudget',
        summary: 'Get the budget of a user',
        description:
          'Including the amount spent in the current month (UTC), and what is reserved for open calls. 404 for a user without a budget.',
        params,
        headers: UserHeader,
        response: responses({ 200: Budget }, 404, 422),
      },
    },
    async (request) => budgets.get(validUserId(request.params.user_id), request.caller),
  );
  app.put(
    '/api/budgets/:user_id',
    {
      config: { access: 'operate', decimals: ['monthly_limit', 'cost_per_minute'] },
      bodyLimit: SMALL_BODY,
      schema: {
        tags,
        operationId: 'setBudget',
        audit: { changes: 'budget.changed' },
        summary: 'Set the budget of a user',
        description:
          'Replaces the whole budget. With `refuse_calls`, new calls and chats are refused with 402 `budget_exceeded` unless the limit covers the costs of the month, what open calls may still cost, and the estimate for the new one (`cost_per_minute`; chats have none); calls and chats in progress continue unless `end_calls` is set. With `count_tests`, what test runs cost counts too, and none starts once the limit is reached. Each threshold is reported once a month by `budget.threshold` to the webhook endpoints of the user.',
        params,
        body: BudgetPut,
        response: responses({ 200: Budget }, 404, 413, 415, 422),
      },
    },
    async (request) => budgets.put(validUserId(request.params.user_id), request.body, actorOf(request)),
  );
}
