import { describeEvent } from '../../delivery/callbacks/webhooks.ts';
import type { Feature } from '../../feature.ts';
import type { Kinds } from '../../work/kinds.ts';
import { replayRoutes, testRunRoutes } from './routes.ts';
import { TestRunFinished } from './schema.ts';
import { ScenarioTask, ScenarioTaskResult } from './task-schema.ts';
import type { TestRuns } from './test-runs.ts';

/** Ended test runs, with their results, are kept for this long. */
const KEPT_DAYS = 30;

/** Shares the API tag of scenarios. Replays are kept as long as what was said in their calls: `days`. */
export function testRunsFeature(runs: TestRuns, work: Kinds, days: number | undefined): Feature {
  return {
    routes: (server) => {
      testRunRoutes(server, runs);
      replayRoutes(server, runs);
    },
    webhooks: { 'test_run.finished': describeEvent('test_run.finished', TestRunFinished) },
    schemas: { ScenarioTask, ScenarioTaskResult },
    work,
    upkeep: { test_runs: runs.giveUpStale },
    keeps: {
      test_runs: { days: KEPT_DAYS, deleteOlder: runs.deleteOlder },
      replays: { days, deleteOlder: runs.forgetOlder },
    },
    expire: { transcripts: runs.forget, metadata: runs.forget },
    erase: { user: (trx, { user_id, pseudonym }) => runs.erase(trx, user_id, pseudonym) },
  };
}
