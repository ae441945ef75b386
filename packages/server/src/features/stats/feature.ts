import type { Feature } from '../feature.ts';
import { callStatsRoutes } from './routes.ts';
import type { CallStats } from './stats.ts';

/** Shares the API tag of turns. */
export function statsFeature(stats: CallStats): Feature {
  return {
    routes: (server) => callStatsRoutes(server, stats),
    erase: {
      sessions: (trx, { ids }) => stats.eraseCalls(trx, ids),
      user: (trx, { user_id }) => stats.eraseRollups(trx, user_id),
    },
  };
}
