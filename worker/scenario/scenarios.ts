import { type Switchboard, SwitchboardError } from '@switchboard/client';
import type { OutboxLog } from '@switchboard/client/outbox';
import type { Settings } from '../settings.ts';
import { type Claims, serveTasks, type TaskOf } from '../tasks/claims.ts';
import { type Held, holdApart } from './apart.ts';

interface Deps {
  tasks: Switchboard['tasks'];
  settings: Pick<Settings, 'models' | 'pricesFile' | 'maxTests'>;
  log: OutboxLog & { warn: (details: object, message: string) => void };
  /** A third of a lease. */
  extendMs?: number;
}

const EXTEND_MS = 20_000;
const MAX_ERROR = 500;

/** Holds the conversations of scenarios until it is stopped, `maxTests` scenarios at a time. */
export function serveScenarios({ tasks, settings, log, extendMs = EXTEND_MS }: Deps): Claims {
  async function run({ task_id, lease_token, payload }: TaskOf<'scenario'>, stopping: AbortSignal): Promise<void> {
    const lost = new AbortController();
    const noticeLoss = (error: unknown) => {
      if (isLost(error)) lost.abort();
      else log.warn({ error, task_id }, 'the lease of a scenario was not extended');
    };
    const extend = () => tasks.extend(task_id, { lease_token }, { maxRetries: 0 }).then(() => {}, noticeLoss);
    const timer = setInterval(extend, extendMs);
    try {
      const held = await holdApart(payload, settings, AbortSignal.any([lost.signal, stopping]));
      if (!lost.signal.aborted) await report(task_id, lease_token, held);
    } catch (error) {
      if (!isLost(error)) throw error;
    } finally {
      clearInterval(timer);
    }
  }

  async function report(task_id: string, lease_token: number, held: Held): Promise<void> {
    // To repeat these is harmless: a second result or failure is refused.
    const repeat = { idempotencyKey: `${task_id}-${lease_token}` };
    const fail = (why: string, retryable: boolean) => {
      const error = why.replaceAll('\0', '').slice(0, MAX_ERROR).toWellFormed() || 'unknown';
      log.warn({ task_id, error }, 'a scenario was not held');
      return tasks.fail(task_id, { lease_token, error, retryable, detail: error }, repeat);
    };
    if ('error' in held) return void (await fail(held.error, held.isRetryable));
    try {
      await tasks.complete(task_id, { lease_token, result: { ...held.outcome } }, repeat);
    } catch (error) {
      // A result that the service does not take is none from another worker either.
      if (!(error instanceof SwitchboardError) || error.status !== 422) throw error;
      await fail(`The result was refused: ${error.message}`, false);
    }
  }

  return serveTasks({ tasks, kind: 'scenario', what: 'tests of agents', capacity: settings.maxTests, run, log });
}

function isLost(error: unknown): boolean {
  return error instanceof SwitchboardError && error.code === 'lease_lost';
}
