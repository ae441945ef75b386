import type { Feature } from '../../feature.ts';
import { createCarrierCosts } from './carrier-costs.ts';
import { carrierCostRoutes } from './routes.ts';

/** Shares the API tag of costs. */
export function carrierCostsFeature(deps: Parameters<typeof createCarrierCosts>[0]): Feature {
  const carrierCosts = createCarrierCosts(deps);
  return {
    routes: (server) => carrierCostRoutes(server, carrierCosts),
    erase: { sessions: (trx, { ids }) => carrierCosts.erase(trx, ids) },
  };
}
