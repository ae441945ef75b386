import { hostname } from 'node:os';
import type { ProviderCheckCreate, Switchboard, Task } from '@switchboard/client';
import type { OutboxLog } from '@switchboard/client/outbox';
import type { Settings } from '../settings.ts';
import { type Claims, serveTasks } from '../tasks/claims.ts';
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
  async function run({ task_id, lease_token, payload }: Task): Promise<void> {
    const checked = await checkApart(payload as unknown as ProviderCheckCreate, settings.models);
    const repeat = { idempotencyKey: `${task_id}-${lease_token}` };
    await tasks.complete(task_id, { lease_token, result: { ...checked, worker } }, repeat);
  }
  return serveTasks({ tasks, kind: 'provider_check', what: 'checks of models', capacity: CAPACITY, run, log });
}
