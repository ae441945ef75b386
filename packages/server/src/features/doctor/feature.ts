import type { Feature } from '../feature.ts';
import type { Doctor } from './doctor.ts';
import { doctorRoutes } from './routes.ts';

/** Checks of the service's dependencies. Shares the API tag of health. */
export function doctorFeature(doctor: Doctor): Feature {
  return { routes: (server) => doctorRoutes(server, doctor) };
}
