import type { Feature } from '../../feature.ts';
import type { Quotas } from './quotas.ts';
import { quotaRoutes } from './routes.ts';

/** Shares the API tag of the settings. Last in the list of features: what they delete in an erasure is counted too. */
export function quotasFeature(quotas: Quotas): Feature {
  return {
    routes: (server) => quotaRoutes(server, quotas),
    work: quotas.work,
    slowUpkeep: { quotas: quotas.round },
    erase: { user: (trx, { user_id }) => quotas.erase(trx, user_id) },
  };
}
