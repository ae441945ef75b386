import type { Feature } from '../../feature.ts';
import type { ProviderChecks } from './provider-checks.ts';
import { providerCheckRoutes } from './routes.ts';
import { ProviderCheckResult } from './schema.ts';

/** A process that dies while somebody waits leaves its check. */
const LEFT_DAYS = 1;

/** Checks of models, which workers do as tasks. Shares the API tag of health. */
export function providerChecksFeature(checks: ProviderChecks): Feature {
  return {
    routes: (server) => providerCheckRoutes(server, checks),
    schemas: { ProviderCheckResult },
    tasks: checks.taskKinds,
    keeps: { provider_checks: { days: LEFT_DAYS, deleteOlder: checks.deleteOlder } },
  };
}
