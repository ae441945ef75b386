import type { Feature } from '../../feature.ts';
import { createDoctor } from './doctor.ts';
import { doctorRoutes } from './routes.ts';

/** Checks of the service's dependencies. Shares the API tag of health. */
export function doctorFeature(deps: Parameters<typeof createDoctor>[0]): Feature {
  const doctor = createDoctor(deps);
  return { routes: (server) => doctorRoutes(server, doctor) };
}
