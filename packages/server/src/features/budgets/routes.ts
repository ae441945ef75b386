import { Type } from 'typebox';
import { actorOf } from '../../http/caller.ts';
import { SMALL_BODY } from '../../http/json-body.ts';
import { responses } from '../../http/responses.ts';
import type { Server } from '../../http/server.ts';
import { UserHeader } from '../../http/wire.ts';
import { AppError } from '../../lib/errors.ts';
import { textProblem } from '../../lib/json.ts';
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
        description: 'With what was spent in the current month (UTC). 404 for a user without one.',
        params,
        headers: UserHeader,
        response: responses({ 200: Budget }, 404, 422),
      },
    },
    async (request) => budgets.get(known(request.params.user_id), request.caller),
  );
  app.put(
    '/api/budgets/:user_id',
    {
      config: { access: 'service', decimals: ['monthly_limit'] },
      bodyLimit: SMALL_BODY,
      schema: {
        tags,
        operationId: 'setBudget',
        summary: 'Set the budget of a user',
        description:
          'Replaces the budget as a whole. With `refuse_calls`, calls to phones and browsers are refused with 402 `budget_exceeded` from the moment at which the costs of the month have reached the limit; calls in progress go on, unless `end_calls` ends them. A call that is in progress costs nothing until its usage is logged. Each threshold is reported once a month by `budget.threshold` to the webhook endpoints of the user.',
        params,
        body: BudgetPut,
        response: responses({ 200: Budget }, 404, 413, 415, 422),
      },
    },
    async (request) => budgets.put(known(request.params.user_id), request.body, actorOf(request)),
  );
}

/** Throws `not_found` for what cannot be a user's id. */
function known(user_id: string): string {
  if (user_id === '' || textProblem(user_id) || [...user_id].length > 255) throw new AppError('not_found');
  return user_id;
}
