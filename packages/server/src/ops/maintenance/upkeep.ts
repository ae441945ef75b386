import type { Feature, Rounds } from '../../feature.ts';
import { createFailureLog } from '../../lib/failure-log.ts';
import { repeat } from '../../lib/repeat.ts';
import type { Platform } from '../../platform.ts';
import type { Runner } from '../../work/runner.ts';

interface Deps extends Pick<Platform, 'clock' | 'log' | 'metrics'> {
  /** Does queued work. */
  runner: Runner;
  intervalMs: number;
  features: Feature[];
}

/** Repairs, periodically, work that a dead process left unfinished, and removes expired rows. */
export function createUpkeep({ clock, log, metrics, runner, intervalMs, features }: Deps) {
  const failures = createFailureLog(log, 'maintenance task');

  async function round(some: Rounds): Promise<void> {
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

  // The quick ones one after the other.
  const tasks: Rounds = Object.assign({}, ...features.map(({ upkeep }) => upkeep));
  const slow = features.flatMap(({ slowUpkeep = {} }) => Object.entries(slowUpkeep));
  const kinds = [tasks, ...slow.map(([task, run]) => ({ [task]: run }))];
  const background = kinds.map((some) => repeat(() => round(some), intervalMs, clock));
  return {
    /** Runs one round of every task, as `startRounds` repeats it, and does the queued work that is due. */
    round: async () => {
      for (const some of kinds) await round(some);
      await runner.round();
    },
    startWork: runner.start,
    startRounds: () => {
      for (const rounds of background) rounds.start();
    },
    stop: () => Promise.all([...background.map((rounds) => rounds.stop()), runner.stop()]),
  };
}
