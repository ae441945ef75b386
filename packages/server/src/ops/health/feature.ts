import type { Feature } from '../../feature.ts';
import { createHealth } from './health.ts';
import { healthRoutes } from './routes.ts';

export function healthFeature(deps: Parameters<typeof createHealth>[0]): Feature {
  const health = createHealth(deps);
  return {
    tag: { name: 'service', description: 'Health and metrics of the process.' },
    routes: (server) => healthRoutes(server, health),
  };
}
