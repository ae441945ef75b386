import type { Feature } from '../feature.ts';
import type { Doctor } from './doctor.ts';
import { doctorRoutes } from './routes.ts';

/** Checks of what the service stands on. Its group of endpoints is that of the service. */
export function doctorFeature(doctor: Doctor): Feature {
  return { routes: (server) => doctorRoutes(server, doctor) };
}
