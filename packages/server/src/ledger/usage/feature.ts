import type { Feature } from '../../feature.ts';
import { createUsageList } from './list.ts';
import { usageRoutes } from './routes.ts';
import type { Usage } from './usage.ts';

export function usageFeature(usage: Usage, deps: Parameters<typeof createUsageList>[0]): Feature {
  const operations = { usage, list: createUsageList(deps) };
  return {
    tag: { name: 'usage', description: 'The usage ledger of conversations, written by agent workers.' },
    routes: (server) => usageRoutes(server, operations),
  };
}
