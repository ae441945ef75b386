import type { Feature } from '../feature.ts';
import type { UsageList } from './list.ts';
import { usageRoutes } from './routes.ts';
import type { Usage } from './usage.ts';

export function usageFeature(operations: { usage: Usage; list: UsageList }): Feature {
  return {
    tag: { name: 'usage', description: 'The usage ledger of conversations, written by agent workers.' },
    routes: (server) => usageRoutes(server, operations),
  };
}
