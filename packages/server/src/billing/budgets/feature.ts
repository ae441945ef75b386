import { describeEvent } from '../../delivery/callbacks/webhooks.ts';
import type { Feature } from '../../feature.ts';
import { createBudgets } from './budgets.ts';
import { budgetRoutes } from './routes.ts';
import { BudgetThreshold } from './schema.ts';

/** Shares the API tag of costs. */
export function budgetsFeature(deps: Parameters<typeof createBudgets>[0]): Feature {
  const budgets = createBudgets(deps);
  return {
    routes: (server) => budgetRoutes(server, budgets),
    webhooks: { 'budget.threshold': describeEvent('budget.threshold', BudgetThreshold) },
    slowUpkeep: { budgets: budgets.round },
    erase: { user: (trx, { user_id }) => budgets.erase(trx, user_id) },
  };
}
