import type { Feature } from '../../feature.ts';
import type { Calls } from './calls.ts';
import { callRoutes } from './routes.ts';

export function callsFeature(calls: Calls): Feature {
  return {
    tag: { name: 'calls', description: 'Phone calls: start, follow, transfer and end them.' },
    routes: (server) => callRoutes(server, calls),
  };
}
