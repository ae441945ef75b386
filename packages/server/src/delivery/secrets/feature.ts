import type { Feature } from '../../feature.ts';
import { secretRoutes } from './routes.ts';
import type { Secrets } from './secrets.ts';

export function secretsFeature(secrets: Secrets): Feature {
  return {
    routes: (server) => secretRoutes(server, secrets),
    erase: { user: (trx, { user_id }) => secrets.erase(trx, user_id) },
  };
}
