import type { Feature } from '../../feature.ts';
import { steeringRoutes } from './routes.ts';
import { createSteering } from './steering.ts';

export function steeringFeature(deps: Parameters<typeof createSteering>[0]): Feature {
  const steering = createSteering(deps);
  return { routes: (server) => steeringRoutes(server, steering) };
}
