import type { Feature } from '../../feature.ts';
import { transferRoutes } from './routes.ts';
import type { Transfers } from './transfers.ts';

export function transfersFeature(transfers: Transfers): Feature {
  return {
    routes: (server) => transferRoutes(server, transfers),
    erase: { sessions: (trx, { ids }) => transfers.erase(trx, ids) },
  };
}
