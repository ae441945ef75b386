import type { Feature } from '../../feature.ts';
import type { Keys } from './keys.ts';
import { keyRoutes } from './routes.ts';

export function keysFeature(keys: Keys): Feature {
  return {
    tag: { name: 'keys', description: 'API keys and their roles.' },
    routes: (server) => keyRoutes(server, keys),
    erase: { user: (trx, { user_id }) => keys.deleteOf(trx, user_id) },
  };
}
