import { hostname } from 'node:os';
import { type Switchboard, SwitchboardError } from '@switchboard/client';
import type { OutboxLog } from '@switchboard/client/outbox';
import type { Settings } from '../settings.ts';
import { type Claims, serveTasks, type TaskOf } from '../tasks/claims.ts';
import { messageOf, repeatable } from '../tasks/lease.ts';
import { checkApart } from './apart.ts';

/** Each is a process. */
const CAPACITY = 2;

interface Deps {
  tasks: Switchboard['tasks'];
  settings: Pick<Settings, 'models' | 'port'>;
  log: OutboxLog & { warn: (details: object, message: string) => void };
}

/** Checks models of providers for operators, until it is stopped. */
export function serveChecks({ tasks, settings, log }: Deps): Claims {
  const worker = `${hostname()}:${settings.port}`;
  async function run(task: TaskOf<'provider_check'>, stopping: AbortSignal) {
    const { task_id, lease_token, payload } = task;
    const checked = await checkApart(payload, settings.models, stopping);
    try {
      await tasks.complete(task_id, { lease_token, result: { ...checked, worker } }, repeatable(task));
    } catch (error) {
      // Somebody waits for a result: better this one than none.
      if (!(error instanceof SwitchboardError) || error.status !== 422) throw error;
      const detail = `The result of ${worker} does not fit this version of the service.`;
      await tasks.fail(task_id, { lease_token, error: messageOf(error), retryable: false, detail }, repeatable(task));
    }
  }
  return serveTasks({ tasks, kind: 'provider_check', what: 'checks of models', capacity: CAPACITY, run, log });
}
