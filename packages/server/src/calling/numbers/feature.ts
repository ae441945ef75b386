import type { Feature } from '../../feature.ts';
import type { Numbers } from './numbers.ts';
import { numberRoutes } from './routes.ts';

/** `perUser`: the maximum numbers of one user's agents. */
export function numbersFeature(numbers: Numbers, perUser: number): Feature {
  return {
    tag: {
      name: 'telephony',
      description: 'Phone numbers that the carrier account owns: assign them to agents and release them.',
    },
    work: numbers.kinds,
    upkeep: { numbers: numbers.repair },
    routes: (server) => numberRoutes(server, numbers, perUser),
  };
}
