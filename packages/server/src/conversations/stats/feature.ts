import type { Feature } from '../../feature.ts';
import { callStatsRoutes } from './routes.ts';
import { createCallStats } from './stats.ts';

/** Shares the API tag of turns. */
export function statsFeature(deps: Parameters<typeof createCallStats>[0]): Feature {
  const stats = createCallStats(deps);
  return {
    routes: (server) => callStatsRoutes(server, stats),
    erase: {
      sessions: (trx, { ids }) => stats.eraseCalls(trx, ids),
      user: (trx, { user_id }) => stats.eraseRollups(trx, user_id),
    },
  };
}
