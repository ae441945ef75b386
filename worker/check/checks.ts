import { hostname } from 'node:os';
import type { Switchboard } from '@switchboard/client';
import type { Settings } from '../settings.ts';
import type { TaskLog } from '../tasks/attempt.ts';
import { type Claims, serveTasks } from '../tasks/claims.ts';
import { checkApart } from './apart.ts';
import { tryFunction } from './try-function.ts';

/** Each is a process. */
const CAPACITY = 2;
/** Functions that are tried at the same time. */
const CALLS = 8;

interface Deps {
  tasks: Switchboard['tasks'];
  settings: Pick<Settings, 'models' | 'functions' | 'port'>;
  log: TaskLog;
}

/** Checks models of providers for operators, until it is stopped. */
export function serveChecks({ tasks, settings, log }: Deps): Claims {
  const worker = nameOf(settings);
  return serveTasks({
    tasks,
    kind: 'provider_check',
    what: 'checks of models',
    capacity: CAPACITY,
    run: async ({ payload }, { signal }) => ({ ...(await checkApart(payload, settings.models, signal)), worker }),
    refused: { detail: unfit(worker) },
    log,
  });
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
  const worker = nameOf(settings);
  return serveTasks({
    tasks,
    kind: 'function_check',
    what: 'checks of functions',
    capacity: CALLS,
    run: async ({ payload }, { signal }) => ({ ...(await tryFunction(payload, settings.functions, signal)), worker }),
    refused: { detail: unfit(worker) },
    calls: { worker, max },
    log,
  });
}

const nameOf = ({ port }: Pick<Settings, 'port'>) => `${hostname()}:${port}`;

/** Said to whoever waits for a result: better this one than none. */
const unfit = (worker: string) => `The result of ${worker} does not fit this version of the service.`;
