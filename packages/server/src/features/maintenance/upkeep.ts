import type { Clock } from '../../lib/clock.ts';
import { createFailureLog } from '../../lib/failure-log.ts';
import type { Logger } from '../../lib/log.ts';
import type { Metrics } from '../../lib/metrics.ts';
import { repeat } from '../../lib/repeat.ts';

/** Recurring work, by its name in logs and metrics. */
type Tasks = Record<string, () => Promise<void>>;

interface Deps {
  clock: Clock;
  log: Logger;
  metrics: Metrics;
  intervalMs: number;
  /** Run sequentially. */
  tasks: Tasks;
  /** Slow tasks, each with rounds of its own, so that they delay neither the others nor each other. */
  slowTasks: Tasks;
}

/** Repairs, periodically, work that a dead process left unfinished, and removes expired rows. */
export function createUpkeep({ clock, log, metrics, intervalMs, tasks, slowTasks }: Deps) {
  const failures = createFailureLog(log, 'maintenance task');

  async function round(some: Tasks): Promise<void> {
    for (const [task, run] of Object.entries(some)) {
      await run().then(
        () => {
          metrics.upkeep.inc({ task, outcome: 'done' });
          failures.succeeded(task);
        },
        (err: unknown) => {
          metrics.upkeep.inc({ task, outcome: 'failed' });
          failures.failed(err, task);
        },
      );
    }
  }

  const kinds = [tasks, ...Object.entries(slowTasks).map(([task, run]) => ({ [task]: run }))];
  const background = kinds.map((some) => repeat(() => round(some), intervalMs, clock));
  return {
    /** Runs one round of every task, as `start` repeats it. */
    round: async () => {
      for (const some of kinds) await round(some);
    },
    start: () => {
      for (const rounds of background) rounds.start();
    },
    stop: () => Promise.all(background.map((rounds) => rounds.stop())),
  };
}
