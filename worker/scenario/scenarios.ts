import path from 'node:path';
import { type Switchboard, SwitchboardError } from '@switchboard/client';
import type { OutboxLog } from '@switchboard/client/outbox';
import type { Settings } from '../settings.ts';
import { askApart } from '../tasks/apart.ts';
import { type Claims, serveTasks, type TaskOf } from '../tasks/claims.ts';
import { isLost, keepLease, messageOf, repeatable } from '../tasks/lease.ts';
import type { Held } from './process.ts';

interface Deps {
  tasks: Switchboard['tasks'];
  settings: Pick<
    Settings,
    'models' | 'pricesFile' | 'maxTests' | 'livekitUrl' | 'livekitApiKey' | 'livekitApiSecret' | 'phoneHost'
  >;
  log: OutboxLog & { warn: (details: object, message: string) => void };
  /** A third of a lease. */
  extendMs?: number;
}

type ScenarioTask = TaskOf<'scenario'>;

const EXTEND_MS = 20_000;
const MODULE = path.join(import.meta.dirname, 'process.ts');
/** Megabytes for the conversations and their world, which the scenario decides. */
const MEMORY = '--max-old-space-size=512';

/** Holds the conversations of scenarios until it is stopped, `maxTests` scenarios at a time. */
export function serveScenarios({ tasks, settings, log, extendMs = EXTEND_MS }: Deps): Claims {
  async function run(task: ScenarioTask, stopping: AbortSignal): Promise<void> {
    const { task_id, payload } = task;
    const lease = keepLease(tasks, task, extendMs, (error) =>
      log.warn({ error, task_id }, 'the lease of a scenario was not extended'),
    );
    const { models, pricesFile, phoneHost } = settings;
    const { livekitUrl: url, livekitApiKey: apiKey, livekitApiSecret: apiSecret } = settings;
    const media = { url, apiKey, apiSecret };
    const signal = AbortSignal.any([lease.lost, stopping]);
    try {
      const held = await askApart<Held>(
        MODULE,
        { task: payload, task_id, media, phoneHost, models, pricesFile },
        signal,
        [...process.execArgv, MEMORY],
      ).catch((error) => ({ error: stopping.aborted ? 'the worker stops' : messageOf(error), isRetryable: true }));
      if (!lease.lost.aborted) await report(task, held);
    } catch (error) {
      if (!isLost(error)) throw error;
    } finally {
      lease.end();
    }
  }

  async function report(task: ScenarioTask, held: Held): Promise<void> {
    if ('error' in held) return fail(task, held.error, held.isRetryable);
    const { task_id, lease_token } = task;
    try {
      await tasks.complete(task_id, { lease_token, result: { ...held.outcome } }, repeatable(task));
    } catch (error) {
      // A result that the service does not take is none from another worker either.
      if (!(error instanceof SwitchboardError) || error.status !== 422) throw error;
      await fail(task, messageOf(`The result was refused: ${error.message}`), false);
    }
  }

  async function fail(task: ScenarioTask, error: string, retryable: boolean): Promise<void> {
    const { task_id, lease_token } = task;
    log.warn({ task_id, error }, 'a scenario was not held');
    await tasks.fail(task_id, { lease_token, error, retryable }, repeatable(task));
  }

  return serveTasks({ tasks, kind: 'scenario', what: 'tests of agents', capacity: settings.maxTests, run, log });
}
