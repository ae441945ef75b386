import type { Feature } from '../../feature.ts';
import { FunctionCheckResult, FunctionCheckTask } from './function-schema.ts';
import { ProviderCheckResult } from './provider-schema.ts';
import { workerCheckRoutes } from './routes.ts';
import type { WorkerChecks } from './worker-checks.ts';

/** A process that dies while somebody waits leaves its check. */
const LEFT_DAYS = 1;

/** Checks of models and functions, which workers do as tasks. Shares the API tag of health. */
export function workerChecksFeature(checks: WorkerChecks): Feature {
  return {
    routes: (server) => workerCheckRoutes(server, checks),
    schemas: { ProviderCheckResult, FunctionCheckTask, FunctionCheckResult },
    tasks: checks.taskKinds,
    erase: { user: (trx, { user_id }) => checks.erase(trx, user_id) },
    keeps: { provider_checks: { days: LEFT_DAYS, deleteOlder: checks.deleteOlder } },
  };
}
