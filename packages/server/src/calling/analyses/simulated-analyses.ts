import type { Platform } from '../../platform.ts';
import type { Workers } from '../../providers/workers.ts';
import type { Kind, Kinds } from '../../work/kinds.ts';
import type { AnalysisTasks } from './analysis-task.ts';
import { ANALYSIS } from './starting.ts';

const CONCURRENCY = 4;
/** Stands for the lease of a worker. */
const LEASE = 1;
/** Why an analysis of a deleted extractor has no result. */
const GONE = 'The extractor, or its version, was deleted.';

interface Deps extends Pick<Platform, 'db' | 'work'> {
  workers: Workers;
  task: AnalysisTasks;
}

/** Has this process read transcripts, if its provider has simulated workers. */
export function createSimulatedAnalyses({ db, workers, work, task }: Deps): Kinds {
  const { analyseCall } = workers;
  if (!analyseCall) return {};
  const run: Kind['run'] = async ({ key }) => {
    const described = await task.describe(key);
    const read = described && analyseCall(described);
    await db.transaction().execute(async (trx) => {
      if (!(await work.withdraw(trx, ANALYSIS, [key]))) return;
      if (!read) return task.giveUp(trx, key, { error: GONE });
      await task.report(trx, key, LEASE, [{ type: 'usage', used: read.used }]);
      await task.complete(trx, key, read.result, true);
    });
    return null;
  };
  return { [ANALYSIS]: { run, concurrency: CONCURRENCY } };
}
