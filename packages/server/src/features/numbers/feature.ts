import type { Feature } from '../feature.ts';
import type { Numbers } from './numbers.ts';
import { numberRoutes } from './routes.ts';

export function numbersFeature(numbers: Numbers): Feature {
  return {
    tag: {
      name: 'telephony',
      description: 'Phone numbers that the carrier account owns: assign them to agents and release them.',
    },
    routes: (server) => numberRoutes(server, numbers),
  };
}
