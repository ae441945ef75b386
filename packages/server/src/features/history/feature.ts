import type { Feature } from '../feature.ts';
import type { History } from './history.ts';
import { historyRoutes } from './routes.ts';

export function historyFeature(history: History): Feature {
  return {
    routes: (server) => historyRoutes(server, history),
    erase: {
      sessions: (trx, { ids }) => history.eraseWords(trx, ids),
      user: (trx, { user_id }) => history.eraseWordsOfUser(trx, user_id),
    },
  };
}
