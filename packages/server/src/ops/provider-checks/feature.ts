import type { Feature } from '../../feature.ts';
import { FunctionCheckResult, FunctionCheckTask } from './function-schema.ts';
import type { ProviderChecks } from './provider-checks.ts';
import { providerCheckRoutes } from './routes.ts';
import { ProviderCheckResult } from './schema.ts';

/** A process that dies while somebody waits leaves its check. */
const LEFT_DAYS = 1;

/** Checks of models and functions, which workers do as tasks. Shares the API tag of health. */
export function providerChecksFeature(checks: ProviderChecks): Feature {
  return {
    routes: (server) => providerCheckRoutes(server, checks),
    schemas: { ProviderCheckResult, FunctionCheckTask, FunctionCheckResult },
    tasks: checks.taskKinds,
    keeps: { provider_checks: { days: LEFT_DAYS, deleteOlder: checks.deleteOlder } },
  };
}
