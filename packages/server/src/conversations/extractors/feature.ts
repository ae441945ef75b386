import type { Feature } from '../../feature.ts';
import type { Extractors } from './extractors.ts';
import { extractorRoutes } from './routes.ts';

/** Shares the API tag of agents. */
export function extractorsFeature(extractors: Extractors): Feature {
  return {
    routes: (server) => extractorRoutes(server, extractors),
    erase: { user: (trx, { user_id }) => extractors.erase(trx, user_id) },
  };
}
