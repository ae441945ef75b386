export type Capacity = ReturnType<typeof createCapacity>;

/** The load from which livekit-server (`agents.target_load`) gives a worker no more calls. */
export const FULL = 0.7;
/** Longer than a process takes to be ready for its call. */
const LAUNCH_MS = 30_000;

/**
 * The load that the worker reports, based only on its calls.
 *
 * The library's default is the CPU load of the whole machine. A build or another busy process then makes the media
 * server skip the worker; if there is no other, the dispatch is lost: nobody joins, there is no error, and no retry.
 * Slow answers on a busy machine are the lesser evil. Measure how many calls a machine can handle, and set
 * WORKER_MAX_CALLS.
 */
export function createCapacity(maxCalls: number, now: () => number = Date.now) {
  /**
   * Calls accepted a moment ago, by job id. They count before their process runs, or a burst would exceed the limit.
   */
  const accepted = new Map<string, number>();
  let isClosed = false;

  function count(running: readonly string[]): number {
    for (const id of running) accepted.delete(id);
    for (const [id, at] of accepted) if (now() - at > LAUNCH_MS) accepted.delete(id);
    return running.length + accepted.size;
  }

  return {
    /** Balances calls between workers by their load, and stays below FULL until the last slot is taken. */
    load: (running: readonly string[]): number => {
      const calls = count(running);
      return isClosed || calls >= maxCalls ? 1 : (calls / maxCalls) * (FULL - 0.05);
    },
    /**
     * Whether to accept a call offered now. The load is reported only every few seconds; a refused call is offered to
     * another worker.
     */
    take: (job_id: string, running: readonly string[]): boolean => {
      if (isClosed || count(running) >= maxCalls) return false;
      accepted.set(job_id, now());
      return true;
    },
    /** Accepts no more calls. */
    close: (): void => {
      isClosed = true;
    },
    /** The number of calls that are accepted, and whose processes do not run yet. */
    launching: (running: readonly string[]): number => count(running) - running.length,
  };
}
