import type { Feature } from '../../feature.ts';
import { createHistory } from './history.ts';
import { historyRoutes } from './routes.ts';
import { createWords } from './words.ts';

export function historyFeature(deps: Parameters<typeof createHistory>[0], days: number | undefined): Feature {
  const history = createHistory(deps);
  return {
    routes: (server) => historyRoutes(server, history),
    erase: {
      sessions: (trx, { ids }) => history.eraseWords(trx, ids),
      user: (trx, { user_id }) => history.eraseWordsOfUser(trx, user_id),
    },
    expire: { transcripts: history.eraseWords },
    slowUpkeep: { call_words: createWords(deps).round },
    keeps: { words: { days, deleteOlder: history.deleteOlder } },
  };
}
