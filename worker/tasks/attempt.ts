import { type Switchboard, SwitchboardError } from '@switchboard/client';
import { Failure, isRetryable, messageOf, type Outlook } from './failure.ts';
import { isLost, keepLease, type Leased } from './lease.ts';

export interface TaskLog {
  warn: (details: object, message: string) => void;
  error: (details: object, message: string) => void;
}

/** An attempt, as whoever does the task sees it. */
export interface Attempt {
  /** Aborts when the worker stops, and once another one has the task or nobody wants it done any more. */
  signal: AbortSignal;
  /** Takes note of the error of a request about the task. */
  notice: (error: unknown) => void;
  /** To be called before anything that must not be done twice: there is no other attempt then. */
  forbidRepeat: () => void;
}

export interface Work<T> {
  tasks: Switchboard['tasks'];
  /** The name of the work in the log. */
  what: string;
  /** Does a task, and returns its result. */
  run: (task: T, attempt: Attempt) => Promise<object>;
  /** A third of a lease; absent if a task ends within its lease. */
  extendMs?: number;
  /** Consequences of a result that the service does not take; by default, there is no other attempt. */
  refused?: Partial<Outlook>;
  log: TaskLog;
}

/** `lost` to another worker or to nobody, or `returned` by a worker that stops. */
export type TaskOutcome = 'completed' | 'failed' | 'lost' | 'returned';

/** Does a task while its lease is kept, and reports its result, or why it has none. `stopping` gives it back. */
export async function attempt<T extends Leased>(task: T, work: Work<T>, stopping: AbortSignal): Promise<TaskOutcome> {
  const { tasks, what, run, extendMs, log } = work;
  const { task_id, lease_token } = task;
  const { lost, notice, end } = keepLease(tasks, task, extendMs, (error) =>
    log.warn({ error, task_id }, `${what}: a request about a task failed`),
  );
  let mayRepeat = true;
  const forbidRepeat = () => {
    mayRepeat = false;
  };
  try {
    const result = await run(task, { signal: AbortSignal.any([lost, stopping]), notice, forbidRepeat });
    await complete(task, result, work);
    return 'completed';
  } catch (error) {
    if (lost.aborted || isLost(error)) return 'lost';
    const retryable = mayRepeat && isRetryable(error);
    log.error({ error, task_id, retryable }, `${what}: an attempt failed`);
    const detail = error instanceof Failure ? error.outlook.detail : undefined;
    const failure = { lease_token, error: messageOf(error), retryable, ...(detail && { detail }) };
    await tasks.fail(task_id, failure, REPEATED).catch(notice);
    return stopping.aborted && retryable ? 'returned' : 'failed';
  } finally {
    end();
  }
}

async function complete<T extends Leased>(task: T, result: object, { tasks, refused }: Work<T>): Promise<void> {
  const { task_id, lease_token } = task;
  try {
    await tasks.complete(task_id, { lease_token, result: { ...result } }, REPEATED);
  } catch (error) {
    if (!(error instanceof SwitchboardError) || error.status !== 422) throw error;
    throw new Failure(`The result was refused: ${error.message}`, { retryable: false, ...refused });
  }
}

/** Retries of a result or a failure, about a minute: a service that restarts is back by then, and still takes it. */
const [REPORT_RETRIES, REPORT_MS] = [12, 10_000];

/** Options of a result or a failure: to repeat it is harmless, because a second one is refused. */
const REPEATED = { isRepeatable: true, maxRetries: REPORT_RETRIES, timeoutMs: REPORT_MS };
