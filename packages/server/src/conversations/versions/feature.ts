import type { Feature } from '../../feature.ts';
import { releaseRoutes } from './release-routes.ts';
import { draftRoutes, versionRoutes } from './routes.ts';
import { eraseHistory, type Versions } from './versions.ts';

/** Shares the API tag of agents. */
export function versionsFeature(versions: Versions): Feature {
  return {
    routes: (server) => {
      draftRoutes(server, versions);
      versionRoutes(server, versions);
      releaseRoutes(server, versions);
    },
    erase: { user: (trx, { user_id, pseudonym }) => eraseHistory(trx, user_id, pseudonym) },
  };
}
