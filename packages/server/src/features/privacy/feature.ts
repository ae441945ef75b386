import type { Feature } from '../feature.ts';
import type { Erasures } from './erasure.ts';
import { privacyRoutes } from './routes.ts';

export function privacyFeature(erasures: Erasures): Feature {
  return {
    tag: { name: 'privacy', description: 'Erasing a user.' },
    routes: (server) => privacyRoutes(server, erasures),
  };
}
