import { type Switchboard, SwitchboardError, type Task } from '@switchboard/client';

export type Leased = Pick<Task, 'task_id' | 'lease_token'>;

/** Keeps the lease of a task, asking every `everyMs`; `failed` is told each attempt that did not get through. */
export function keepLease(
  tasks: Switchboard['tasks'],
  { task_id, lease_token }: Leased,
  everyMs: number | undefined,
  failed: (error: unknown) => void,
) {
  const lost = new AbortController();
  const notice = (error: unknown) => {
    if (isLost(error)) lost.abort();
    else failed(error);
  };
  const extend = () => tasks.extend(task_id, { lease_token }, { maxRetries: 0 }).then(() => {}, notice);
  const timer = everyMs === undefined ? undefined : setInterval(extend, everyMs);
  return {
    /** Aborts when the task has been given to another worker, or needs not be done any more. */
    lost: lost.signal,
    /** Takes note of the error of any request about the task. */
    notice,
    end: (): void => clearInterval(timer),
  };
}

/** Whether another worker has the task by now, or nobody wants it done any more. */
export function isLost(error: unknown): boolean {
  return error instanceof SwitchboardError && error.code === 'lease_lost';
}
