import { describeEvent } from '../callbacks/webhooks.ts';
import type { Feature } from '../feature.ts';
import type { Budgets } from './budgets.ts';
import { budgetRoutes } from './routes.ts';
import { BudgetThreshold } from './schema.ts';

/** Shares the API tag of costs. */
export function budgetsFeature(budgets: Budgets): Feature {
  return {
    routes: (server) => budgetRoutes(server, budgets),
    webhooks: { 'budget.threshold': describeEvent('budget.threshold', BudgetThreshold) },
    erase: { user: (trx, { user_id }) => budgets.erase(trx, user_id) },
  };
}
