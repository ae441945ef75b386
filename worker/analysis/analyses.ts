import type { AnalysisResult, Switchboard } from '@switchboard/client';
import type { Settings } from '../settings.ts';
import { type Prices, readPrices, type Used } from '../switchboard/prices.ts';
import { priced } from '../switchboard/switchboard.ts';
import type { Attempt, TaskLog } from '../tasks/attempt.ts';
import { type Claims, serveTasks, type TaskOf } from '../tasks/claims.ts';
import { isLost } from '../tasks/lease.ts';
import { analyse } from './analyse.ts';

interface Deps {
  client: Pick<Switchboard, 'tasks' | 'usage'>;
  settings: Pick<Settings, 'models' | 'pricesFile' | 'maxAnalyses'>;
  log: TaskLog;
  /** A third of a lease. */
  extendMs?: number;
}

type AnalysisWork = TaskOf<'analysis'>;

const EXTEND_MS = 20_000;
/** Usage events of one attempt. */
const MAX_USED = 20;
/** How long usage is reported again and again while the service is away. */
const PATIENCE_MS = 15 * 60_000;

/** Reads the transcripts of calls until it is stopped. In this process: it only waits for models. */
export function serveAnalyses({ client, settings, extendMs = EXTEND_MS, log }: Deps): Claims {
  const { tasks, usage } = client;
  const prices: Prices = readPrices(settings.pricesFile);

  async function run(task: AnalysisWork, { signal }: Attempt): Promise<AnalysisResult> {
    const used: Used[] = [];
    try {
      return await analyse(task.payload, settings.models, (more) => used.push(...more), signal);
    } finally {
      await book(task, used);
    }
  }

  /**
   * Before the result: an attempt costs whether or not it succeeds. The service counts it once: with the analysis, or
   * with the call alone if another worker makes the analysis by now. While the service is away, the report is repeated:
   * another attempt would be paid for again.
   */
  async function book({ task_id, lease_token, payload }: AnalysisWork, used: Used[]): Promise<void> {
    if (used.length === 0) return;
    const all = used.slice(0, MAX_USED).map((one) => priced(one, prices));
    const repeated = () => ({
      idempotencyKey: `${task_id}-${lease_token}-used`,
      isRepeatable: true,
      maxRetries: Number.POSITIVE_INFINITY,
      signal: AbortSignal.timeout(PATIENCE_MS),
    });
    try {
      await tasks.report(task_id, { lease_token, events: [{ type: 'usage', used: all }] }, repeated());
    } catch (error) {
      if (!isLost(error)) throw error;
      const { call_id: session_id, user_id, agent_id } = payload;
      const events = all.map((one) => ({ session_id, user_id, agent_id, ...one }));
      await usage.logBatch({ events }, repeated());
      throw error;
    }
  }

  return serveTasks({
    tasks,
    kind: 'analysis',
    what: 'analyses of calls',
    capacity: settings.maxAnalyses,
    run,
    extendMs,
    // The values do not fit the schema: the next answer of the model may.
    refused: { retryable: true },
    log,
  });
}
