import type { Feature } from '../feature.ts';
import type { Limits } from './limits.ts';
import { workerJobRoutes } from './routes.ts';

export function diallingFeature(limits: Limits): Feature {
  return {
    routes: workerJobRoutes,
    erase: { user: (trx, { user_id }) => limits.erase(trx, user_id) },
  };
}
