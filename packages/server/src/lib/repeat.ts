import type { Clock } from './clock.ts';

/** Runs `work` at once, and again `intervalMs` after each run has ended. */
export function repeat(work: () => Promise<void>, intervalMs: number, clock: Clock) {
  const stopping = new AbortController();
  let running = Promise.resolve();
  async function loop(): Promise<void> {
    while (!stopping.signal.aborted) {
      await work();
      await clock.sleep(intervalMs, stopping.signal).catch(() => {});
    }
  }
  return {
    start: () => {
      running = loop();
    },
    stop: async () => {
      stopping.abort();
      await running;
    },
  };
}
