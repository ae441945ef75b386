import type { Feature } from '../../feature.ts';
import { turnRoutes } from './routes.ts';
import type { Turns } from './turns.ts';

export function turnsFeature(turns: Turns, days: number | undefined): Feature {
  return {
    tag: { name: 'stats', description: 'Statistics of conversations: latency of agents, and figures of calls.' },
    routes: (server) => turnRoutes(server, turns),
    erase: {
      sessions: (trx, { ids }) => turns.erase(trx, ids),
      user: (trx, { user_id }) => turns.eraseRollups(trx, user_id),
    },
    keeps: { turns: { days, isHeldBack: true, deleteOlder: turns.deleteOlder } },
  };
}
