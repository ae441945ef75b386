import type { Feature, Rounds } from '../../feature.ts';
import { createFailureLog } from '../../lib/failure-log.ts';
import { repeat } from '../../lib/repeat.ts';
import type { Platform } from '../../platform.ts';
import type { Runner } from '../../work/runner.ts';

/** The result of a round that was left to another process, which does it for all. */
export const SKIPPED = Symbol('skipped');

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
        (result) => {
          metrics.upkeep.inc({ task, outcome: result === SKIPPED ? 'skipped' : 'done' });
          // Only a round that was done shows that the task works again.
          if (result !== SKIPPED) failures.succeeded(task);
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
  // From the start: a query for tasks of which no round is done finds nothing otherwise.
  for (const task of kinds.flatMap(Object.keys)) metrics.upkeep.inc({ task, outcome: 'done' }, 0);
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
