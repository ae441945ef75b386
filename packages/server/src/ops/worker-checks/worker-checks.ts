import type { Agents } from '../../conversations/agents/agents.ts';
import type { Batch } from '../../db/retention-batches.ts';
import type { Db } from '../../db/tables.ts';
import { InvalidFields } from '../../lib/invalid.ts';
import type { Platform } from '../../platform.ts';
import type { Workers } from '../../providers/workers.ts';
import { createAsking } from './asking.ts';
import { type FunctionCheckCreate, FunctionCheckResult, type FunctionCheckTask } from './function-schema.ts';
import { type ProviderCheckCreate, ProviderCheckResult, providerProblem } from './provider-schema.ts';
import { deleteChecksOf, deleteOldChecks } from './store.ts';

export type WorkerChecks = ReturnType<typeof createWorkerChecks>;

/** A failed task does not name its worker. */
const GIVEN_UP = { outcome: 'failed', reason: 'error', latency_ms: null, worker: 'unknown' } as const;
const PROVIDER = {
  kind: 'provider_check',
  result: ProviderCheckResult,
  withinMs: 30_000,
  givenUp: (detail: string) => ({ ...GIVEN_UP, detail }),
};
/** The longest wait for a function is a minute. */
const FUNCTION = {
  kind: 'function_check',
  result: FunctionCheckResult,
  withinMs: 70_000,
  givenUp: (detail: string) => ({ ...GIVEN_UP, detail, request: null, response: null }),
};

interface Deps extends Pick<Platform, 'db' | 'clock' | 'work'> {
  workers: Workers;
  agents: Agents;
}

/** Checks of what agents need outside of the service: models with their keys, which workers have, and functions. */
export function createWorkerChecks({ db, clock, work, workers, agents }: Deps) {
  const stopper = new AbortController();
  const stopping = stopper.signal;
  const base = { db, clock, work };
  const models = createAsking<ProviderCheckCreate, ProviderCheckResult>(base, { ...PROVIDER, stopping });
  const functions = createAsking<FunctionCheckTask, FunctionCheckResult>(base, { ...FUNCTION, stopping });

  /** Has a worker ask a model. Throws `no_worker`, and `InvalidFields`. */
  async function check(asked: ProviderCheckCreate) {
    const problem = providerProblem(asked);
    if (problem) throw new InvalidFields(problem);
    if (workers.checkModel) return { ...workers.checkModel(), is_simulated: true };
    return { ...(await models.ask(asked)), is_simulated: false };
  }

  /** Has a worker call a function as a call of this agent would. Throws `not_found` and `no_worker`. */
  async function checkFunction(agent_id: string, asked: FunctionCheckCreate, caller: string | null) {
    const { id, user_id } = await agents.get(agent_id, caller);
    const { function: tried, arguments: args = {}, variables = {} } = asked;
    const task: FunctionCheckTask = { function: tried, arguments: args, variables, agent_id: id, user_id };
    if (workers.checkFunction) return { ...workers.checkFunction(task), is_simulated: true };
    return { ...(await functions.ask(task, user_id)), is_simulated: false };
  }

  return {
    check,
    checkFunction,
    taskKinds: { [PROVIDER.kind]: models.taskKind, [FUNCTION.kind]: functions.taskKind },
    erase: deleteChecksOf,
    deleteOlder: (batch: Batch) => deleteOldChecks(db as Db, batch),
    stop: (): void => stopper.abort(),
  };
}
