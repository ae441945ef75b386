import { AppError } from './errors.ts';

type Begin = () => void;

/** Seconds for `Retry-After`: some of the waiting work may have begun by then. */
const RETRY_LATER_S = 1;

/**
 * Runs up to `atOnce` pieces of work at the same time. Owners whose work waits take turns, one piece each, so that
 * nobody waits for all the work of another. Further work of an owner with `maxWaiting` waiting pieces is refused:
 * `too_many_requests`.
 */
export function createFairQueue(atOnce: number, maxWaiting: number) {
  /** Waiting work by owner, in the order in which owners are served. */
  const lines = new Map<string, Begin[]>();
  let running = 0;

  function ownTurn(owner: string): Promise<void> {
    return new Promise((resolve) => {
      const line = lines.get(owner) ?? [];
      if (line.length >= maxWaiting) throw new AppError('too_many_requests', { retry_after_s: RETRY_LATER_S });
      line.push(resolve);
      lines.set(owner, line);
    });
  }

  function beginNext(): void {
    const [next] = lines;
    if (!next) {
      running -= 1;
      return;
    }
    const [owner, line] = next;
    lines.delete(owner);
    const begin = line.shift();
    if (line.length > 0) lines.set(owner, line);
    begin?.();
  }

  return async function run<T>(owner: string, work: () => Promise<T>): Promise<T> {
    if (running === atOnce) await ownTurn(owner);
    else running += 1;
    try {
      return await work();
    } finally {
      beginNext();
    }
  };
}
