import { hostname } from 'node:os';
import {
  type FunctionCheckTask,
  type ProviderCheckCreate,
  type Switchboard,
  SwitchboardError,
  type Task,
} from '@switchboard/client';
import type { OutboxLog } from '@switchboard/client/outbox';
import type { Settings } from '../settings.ts';
import { type Claims, serveTasks } from '../tasks/claims.ts';
import { messageOf, repeatable } from '../tasks/lease.ts';
import { checkApart } from './apart.ts';
import { tryFunction } from './try-function.ts';

/** Each is a process. */
const CAPACITY = 2;
/** Functions that are tried at the same time. */
const CALLS = 8;

interface Deps {
  tasks: Switchboard['tasks'];
  settings: Pick<Settings, 'models' | 'functions' | 'port'>;
  log: OutboxLog & { warn: (details: object, message: string) => void };
}

/** Checks models of providers for operators, until it is stopped. */
export function serveChecks({ tasks, settings, log }: Deps): Claims {
  const run = answering({ tasks, settings }, (payload: ProviderCheckCreate, stopping) =>
    checkApart(payload, settings.models, stopping),
  );
  return serveTasks({ tasks, kind: 'provider_check', what: 'checks of models', capacity: CAPACITY, run, log });
}

/**
 * Calls functions for whoever edits an agent, until it is stopped. In this process: it only waits. Says with each claim
 * how many calls this worker takes now: these claims never wait long for tasks to end.
 */
export function serveFunctionChecks({
  tasks,
  settings,
  maxCalls: max,
  log,
}: Deps & { maxCalls: () => Promise<number> }): Claims {
  const run = answering({ tasks, settings }, (payload: FunctionCheckTask, stopping) =>
    tryFunction(payload, settings.functions, stopping),
  );
  const calls = { worker: nameOf(settings), max };
  return serveTasks({ tasks, kind: 'function_check', what: 'checks of functions', capacity: CALLS, run, calls, log });
}

/** The name of this worker. */
const nameOf = ({ port }: Pick<Settings, 'port'>) => `${hostname()}:${port}`;

/** Does a check, and reports its result with the name of this worker. */
function answering<Payload>(
  { tasks, settings }: Pick<Deps, 'tasks' | 'settings'>,
  check: (payload: Payload, stopping: AbortSignal) => Promise<object>,
) {
  const worker = nameOf(settings);
  return async (task: Omit<Task, 'payload'> & { payload: Payload }, stopping: AbortSignal): Promise<void> => {
    const { task_id, lease_token, payload } = task;
    const checked = await check(payload, stopping);
    try {
      await tasks.complete(task_id, { lease_token, result: { ...checked, worker } }, repeatable(task));
    } catch (error) {
      // Somebody waits for a result: better this one than none.
      if (!(error instanceof SwitchboardError) || error.status !== 422) throw error;
      const detail = `The result of ${worker} does not fit this version of the service.`;
      await tasks.fail(task_id, { lease_token, error: messageOf(error), retryable: false, detail }, repeatable(task));
    }
  };
}
