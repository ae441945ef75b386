import type { Feature } from '../../feature.ts';
import type { Consultations } from './consultations.ts';
import { transferRoutes } from './routes.ts';
import type { Transfers } from './transfers.ts';

export function transfersFeature(transfers: Transfers, consultations: Pick<Consultations, 'stop'>): Feature {
  return {
    routes: (server) => transferRoutes(server, transfers),
    stop: consultations.stop,
    erase: { sessions: (trx, { ids }) => transfers.erase(trx, ids) },
  };
}
