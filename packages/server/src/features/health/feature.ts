import type { Feature } from '../feature.ts';
import type { HealthChecks } from './health.ts';
import { healthRoutes } from './routes.ts';

export function healthFeature(health: HealthChecks): Feature {
  return {
    tag: { name: 'service', description: 'Health and metrics of the process.' },
    routes: (server) => healthRoutes(server, health),
  };
}
