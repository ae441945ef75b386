export type Capacity = ReturnType<typeof createCapacity>;

/** From this load on, livekit-server (`agents.target_load`) gives a worker no more calls. */
export const FULL = 0.7;
/** Longer than a process takes to be ready for the call that it was given. */
const LAUNCH_MS = 30_000;

/**
 * How loaded the worker says it is: by its calls alone.
 *
 * The library's default is the CPU of the whole machine. A build or a neighbour that keeps it busy then makes the media
 * server pass over the worker; when there is no other, the dispatch is lost: nobody joins, there is no error, and it is
 * not tried again. A busy machine answers late, which is the lesser evil; what one can carry is measured once and set
 * as WORKER_MAX_CALLS.
 */
export function createCapacity(maxCalls: number, now: () => number = Date.now) {
  /**
   * Calls accepted a moment ago, by job id: they count before their process runs, or a burst would get past the limit.
   */
  const accepted = new Map<string, number>();

  function count(running: readonly string[]): number {
    for (const id of running) accepted.delete(id);
    for (const [id, at] of accepted) if (now() - at > LAUNCH_MS) accepted.delete(id);
    return running.length + accepted.size;
  }

  return {
    /** Spreads calls over several workers by how full each is, and stays below FULL until the last place is taken. */
    load: (running: readonly string[]): number => {
      const calls = count(running);
      return calls >= maxCalls ? 1 : (calls / maxCalls) * (FULL - 0.05);
    },
    /**
     * Whether a call offered now is taken. The load is reported every few seconds only; a refused call is offered to
     * another worker.
     */
    take: (job_id: string, running: readonly string[]): boolean => {
      if (count(running) >= maxCalls) return false;
      accepted.set(job_id, now());
      return true;
    },
  };
}
