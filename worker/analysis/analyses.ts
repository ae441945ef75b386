import { type AnalysisResult, type Switchboard, SwitchboardError } from '@switchboard/client';
import type { OutboxLog } from '@switchboard/client/outbox';
import type { Settings } from '../settings.ts';
import { type Prices, readPrices, type Used } from '../switchboard/prices.ts';
import { priced } from '../switchboard/switchboard.ts';
import { type Claims, serveTasks, type TaskOf } from '../tasks/claims.ts';
import { isLost, keepLease, messageOf, repeatable } from '../tasks/lease.ts';
import { analyse, isRetryable } from './analyse.ts';

interface Deps {
  client: Pick<Switchboard, 'tasks' | 'usage'>;
  settings: Pick<Settings, 'models' | 'pricesFile' | 'maxAnalyses'>;
  log: OutboxLog & { warn: (details: object, message: string) => void };
  /** A third of a lease. */
  extendMs?: number;
}

type AnalysisWork = TaskOf<'analysis'>;

const EXTEND_MS = 20_000;
/** Usage events of one attempt. */
const MAX_USED = 20;

/** Reads the transcripts of calls until it is stopped. In this process: it only waits for models. */
export function serveAnalyses({ client, settings, log, extendMs = EXTEND_MS }: Deps): Claims {
  const { tasks, usage } = client;
  const prices: Prices = readPrices(settings.pricesFile);

  async function run(task: AnalysisWork, stopping: AbortSignal): Promise<void> {
    const lease = keepLease(tasks, task, extendMs, (error) =>
      log.warn({ error, task_id: task.task_id }, 'the lease of an analysis was not extended'),
    );
    const used: Used[] = [];
    try {
      const signal = AbortSignal.any([lease.lost, stopping]);
      const result = await analyse(task.payload, settings.models, (more) => used.push(...more), signal).catch(
        (error: unknown) => (error instanceof Error ? error : new Error(String(error))),
      );
      await book(task, used);
      if (lease.lost.aborted) return;
      if (!(result instanceof Error)) await complete(task, result);
      else
        await fail(
          task,
          stopping.aborted ? 'the worker stops' : result.message,
          stopping.aborted || isRetryable(result),
        );
    } catch (error) {
      if (!isLost(error)) throw error;
    } finally {
      lease.end();
    }
  }

  /**
   * Before the result: an attempt costs whether or not it succeeds. The service counts it once: with the analysis, or
   * with the call alone if another worker makes the analysis by now.
   */
  async function book({ task_id, lease_token, payload }: AnalysisWork, used: Used[]): Promise<void> {
    if (used.length === 0) return;
    const all = used.slice(0, MAX_USED).map((one) => priced(one, prices));
    const once = { idempotencyKey: `${task_id}-${lease_token}-used` };
    try {
      await tasks.report(task_id, { lease_token, events: [{ type: 'usage', used: all }] }, once);
    } catch (error) {
      if (!isLost(error)) throw error;
      const { call_id: session_id, user_id, agent_id } = payload;
      await usage.logBatch({ events: all.map((one) => ({ session_id, user_id, agent_id, ...one })) }, once);
      throw error;
    }
  }

  async function complete(task: AnalysisWork, result: AnalysisResult): Promise<void> {
    const { task_id, lease_token } = task;
    try {
      await tasks.complete(task_id, { lease_token, result: { ...result } }, repeatable(task));
    } catch (error) {
      // The values do not fit the schema: the next answer of the model may.
      if (!(error instanceof SwitchboardError) || error.status !== 422) throw error;
      await fail(task, `The answer was refused: ${error.message}`, true);
    }
  }

  async function fail(task: AnalysisWork, why: string, retryable: boolean): Promise<void> {
    const { task_id, lease_token } = task;
    const error = messageOf(why);
    log.warn({ task_id, error }, 'an analysis was not made');
    await tasks.fail(
      task_id,
      { lease_token, error, retryable },
      { idempotencyKey: `${task_id}-${lease_token}-failed` },
    );
  }

  return serveTasks({ tasks, kind: 'analysis', what: 'analyses of calls', capacity: settings.maxAnalyses, run, log });
}
