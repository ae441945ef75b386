import type { Feature } from '../../feature.ts';
import type { Limits } from './limits.ts';
import type { Outbound } from './outbound.ts';
import { outboundRoutes } from './routes.ts';

/** Shares the API tag of calls. */
export function outboundFeature({ outbound, limits }: { outbound: Outbound; limits: Limits }): Feature {
  return {
    routes: (server) => outboundRoutes(server, outbound),
    erase: { user: (trx, { user_id }) => limits.erase(trx, user_id) },
  };
}
