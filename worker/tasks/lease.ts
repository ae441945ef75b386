import { type Switchboard, SwitchboardError, type Task } from '@switchboard/client';

const MAX_ERROR = 500;

type Leased = Pick<Task, 'task_id' | 'lease_token'>;

/** Keeps the lease of a task, asking every `everyMs`; `failed` is told each attempt that did not get through. */
export function keepLease(
  tasks: Switchboard['tasks'],
  { task_id, lease_token }: Leased,
  everyMs: number,
  failed: (error: unknown) => void,
) {
  const lost = new AbortController();
  const notice = (error: unknown) => {
    if (isLost(error)) lost.abort();
    else failed(error);
  };
  const extend = () => tasks.extend(task_id, { lease_token }, { maxRetries: 0 }).then(() => {}, notice);
  const timer = setInterval(extend, everyMs);
  return {
    /** Aborts when the task has been given to another worker, or needs not be done any more. */
    lost: lost.signal,
    /** Takes note of the error of any request about the task. */
    notice,
    end: (): void => clearInterval(timer),
  };
}

export function isLost(error: unknown): boolean {
  return error instanceof SwitchboardError && error.code === 'lease_lost';
}

/** Options of a result or a failure: to repeat it is harmless, because a second one is refused. */
export const repeatable = ({ task_id, lease_token }: Leased) => ({ idempotencyKey: `${task_id}-${lease_token}` });

/** The text of an error as the service takes it. */
export function messageOf(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  return text.replaceAll('\0', '').slice(0, MAX_ERROR).toWellFormed() || 'unknown';
}
