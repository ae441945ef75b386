import type { Platform } from '../../platform.ts';
import type { Workers } from '../../providers/workers.ts';
import type { Kind, Kinds } from '../../work/kinds.ts';
import { SCENARIO } from './ending.ts';
import type { TestTask } from './scenario-task.ts';

/** Each is a process. */
const CONCURRENCY = 2;
/** Why a scenario of a deleted agent has no result. */
const AGENT_DELETED = 'The agent, or its version, was deleted.';

interface Deps extends Pick<Platform, 'db' | 'work'> {
  workers: Workers;
  task: TestTask;
}

/** Has this process hold the conversations of scenarios, if its provider has simulated workers. */
export function createSimulatedTests({ db, workers, work, task }: Deps): Kinds {
  const { runScenario } = workers;
  if (!runScenario) return {};
  const run: Kind['run'] = async ({ key }) => {
    const described = await task.describe(key);
    const outcome = described && (await runScenario(described).catch((error: Error) => error));
    await db.transaction().execute(async (trx) => {
      if (!(await work.withdraw(trx, SCENARIO, [key]))) return;
      if (!outcome) await task.giveUp(trx, key, { error: AGENT_DELETED });
      else if (outcome instanceof Error) await task.giveUp(trx, key, { error: outcome.message });
      else await task.complete(trx, key, outcome);
    });
    return null;
  };
  return { [SCENARIO]: { run, concurrency: CONCURRENCY } };
}
