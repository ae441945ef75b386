import type { Feature } from '../feature.ts';
import type { CarrierCosts } from './carrier-costs.ts';
import { carrierCostRoutes } from './routes.ts';

/** Shares the API tag of costs. */
export function carrierCostsFeature(carrierCosts: CarrierCosts): Feature {
  return {
    routes: (server) => carrierCostRoutes(server, carrierCosts),
    erase: { sessions: (trx, { ids }) => carrierCosts.erase(trx, ids) },
  };
}
