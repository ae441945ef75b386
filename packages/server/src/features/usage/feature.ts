import type { Feature } from '../feature.ts';
import type { UsageList } from './list.ts';
import { usageRoutes } from './routes.ts';
import type { Usage } from './usage.ts';

export function usageFeature(operations: { usage: Usage; list: UsageList }): Feature {
  return {
    tag: { name: 'usage', description: 'The ledger of what conversations used, written by agent workers.' },
    routes: (server) => usageRoutes(server, operations),
  };
}
