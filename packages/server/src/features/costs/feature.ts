import type { Feature } from '../feature.ts';
import type { Costs } from './costs.ts';
import { costRoutes } from './routes.ts';

export function costsFeature(costs: Costs): Feature {
  return {
    tag: { name: 'costs', description: 'Costs: in total, by agent, over time, by session.' },
    routes: (server) => costRoutes(server, costs),
  };
}
