/** Claims tasks of one kind from Switchboard, as many at a time as there is room for, apart from calls. */
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  type AnalysisTask,
  type ChatTurn,
  type FunctionCheckTask,
  type ProviderCheckCreate,
  type ScenarioTask,
  SwitchboardError,
  type Task,
} from '@switchboard/client';
import { attempt, type TaskOutcome, type Work } from './attempt.ts';

const WAIT_S = 20;
/** Options of a claim, which also notices a connection that has died silently. */
const ONCE = { maxRetries: 0, timeoutMs: 30_000 };
/** The wait of a worker that takes no calls yet, or for the moment: Switchboard learns soon when it does. */
const NO_CALLS_WAIT_S = 2;
/** Pauses after a claim that failed: doubled each time, and at once the longest if it is refused. */
const PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 60_000;
/** Time to give back what is not finished. */
const RETURN_MS = 5_000;

/** The kinds that this worker does, and what their tasks are about. */
interface Payloads {
  analysis: AnalysisTask;
  chat_turn: ChatTurn;
  function_check: FunctionCheckTask;
  provider_check: ProviderCheckCreate;
  scenario: ScenarioTask;
}

export type TaskOf<K extends keyof Payloads> = Omit<Task, 'payload'> & { payload: Payloads[K] };

interface Deps<K extends keyof Payloads> extends Work<TaskOf<K>> {
  kind: K;
  capacity: number;
  ended?: (outcome: TaskOutcome) => void;
  /** Said with each claim, where the worker takes calls as well. */
  calls?: { worker: string; max: () => Promise<number> };
}

export type Claims = ReturnType<typeof serveTasks>;

/** Claims tasks until it is stopped. */
export function serveTasks<K extends keyof Payloads>({ kind, capacity, ended, calls, ...work }: Deps<K>) {
  const { tasks, what, log } = work;
  const [claiming, cutting] = [new AbortController(), new AbortController()];
  const running = new Set<Promise<void>>();

  const pause = (ms: number) => sleep(ms, undefined, { signal: claiming.signal }).catch(() => {});

  /** Until a task ends, or this worker stops. */
  async function room(): Promise<void> {
    const over = new AbortController();
    const stopped = once(claiming.signal, 'abort', { signal: over.signal }).catch(() => {});
    await Promise.race([...running, stopped]);
    over.abort();
  }

  async function offer() {
    if (!calls) return { wait_s: WAIT_S };
    const max = await calls.max();
    return { wait_s: max === 0 ? NO_CALLS_WAIT_S : WAIT_S, calls: { worker: calls.worker, max } };
  }

  async function claim(): Promise<void> {
    let failures = 0;
    while (!claiming.signal.aborted) {
      if (running.size >= capacity) {
        await room();
        continue;
      }
      try {
        const body = { kind, capacity: capacity - running.size, ...(await offer()) };
        const askedAt = performance.now();
        const { tasks: claimed } = await tasks.claim(body, { signal: claiming.signal, ...ONCE });
        if (failures > 0) log.warn({}, `${what} are done again`);
        failures = 0;
        // The service gives tasks of the claimed kind alone, with payloads of its schema.
        for (const task of claimed) start(task as TaskOf<K>);
        // A service that stops lets all who wait go at once.
        if (claimed.length === 0 && performance.now() - askedAt < PAUSE_MS) await pause(PAUSE_MS);
      } catch (error) {
        if (claiming.signal.aborted) return;
        // Once, not with every attempt: calls go on without them.
        if (failures === 0) log.warn({ error }, `${what} cannot be claimed, and are not done`);
        await pause(pauseMs(error, failures++));
      }
    }
  }

  function start(task: TaskOf<K>): void {
    const done: Promise<void> = attempt(task, work, cutting.signal)
      .then(ended)
      .catch((error: unknown) => log.error({ error, task_id: task.task_id }, 'a task failed'))
      .finally(() => running.delete(done));
    running.add(done);
  }

  /** Says that this worker takes no more calls, so that nobody is dialled for it. */
  async function closeLines(worker: string): Promise<void> {
    const body = { kind, wait_s: 0, calls: { worker, max: 0 } };
    const { tasks: claimed } = await tasks.claim(body, { signal: AbortSignal.timeout(RETURN_MS), maxRetries: 0 });
    for (const task of claimed) start(task as TaskOf<K>);
  }

  const claims = claim();
  return {
    /** Claims no more, lets tasks end until `drainMs` are over, and then gives the rest back. */
    async stop(drainMs: number): Promise<void> {
      claiming.abort();
      await claims;
      // One that cannot be told learns it within 90 seconds.
      if (calls) await closeLines(calls.worker).catch(() => {});
      await within(drainMs, running);
      cutting.abort(new Error('the worker stops'));
      await within(RETURN_MS, running);
    },
  };
}

async function within(ms: number, running: Set<Promise<void>>): Promise<void> {
  const over = new AbortController();
  const late = sleep(ms, undefined, { signal: over.signal }).catch(() => {});
  await Promise.race([Promise.all(running), late]);
  over.abort();
}

/** A service without the endpoint, or a key that may not use it, will not change soon. */
function pauseMs(error: unknown, failures: number): number {
  const { status = null, retryAfterMs = null } = error instanceof SwitchboardError ? error : {};
  if (status !== null && status < 500 && status !== 429) return LONGEST_PAUSE_MS;
  // A proxy may name an hour, in which nobody would be dialled for this worker.
  return Math.min(Math.max(retryAfterMs ?? 0, PAUSE_MS * 2 ** Math.min(failures, 5)), LONGEST_PAUSE_MS);
}
