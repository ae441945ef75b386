/** Runs up to `max` pieces of work at the same time; others wait in order. */
export function createSemaphore(max: number) {
  const waiting = new Set<() => void>();
  let running = 0;

  /** Runs `work`. Rejects while it waits if nobody wants its result any more: once `gone` is aborted. */
  async function run(work: () => Promise<void>, gone: AbortSignal): Promise<void> {
    gone.throwIfAborted();
    if (running === max) await ownTurn(gone);
    else running += 1;
    try {
      gone.throwIfAborted();
      await work();
    } finally {
      const [next] = waiting;
      if (next) next();
      else running -= 1;
    }
  }

  function ownTurn(gone: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const begin = () => {
        waiting.delete(begin);
        resolve();
      };
      waiting.add(begin);
      gone.addEventListener('abort', () => {
        if (waiting.delete(begin)) reject(gone.reason);
      });
    });
  }

  return { run };
}
