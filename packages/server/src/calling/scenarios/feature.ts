import type { Feature } from '../../feature.ts';
import { cassetteRoutes } from './cassette-routes.ts';
import type { Drafting } from './drafting.ts';
import { draftRoutes, scenarioRoutes } from './routes.ts';
import type { Scenarios } from './scenarios.ts';
import { suiteRoutes } from './suite-routes.ts';

/** Recordings of calls are kept for this long, and those of scenarios as long as these. */
const KEPT_DAYS = 30;

/** Recordings of calls are kept no longer than what was said in them: `days`. */
export function scenariosFeature(scenarios: Scenarios, drafting: Drafting, days: number | undefined): Feature {
  const { forgetCalls, deleteOlder, deleteOlderCalls } = scenarios.cassettes;
  return {
    tag: {
      name: 'tests',
      description: 'Tests of agents: scenarios, suites of them, and test runs, which hold their conversations.',
    },
    routes: (server) => {
      scenarioRoutes(server, scenarios);
      suiteRoutes(server, scenarios);
      cassetteRoutes(server, scenarios.cassettes);
      draftRoutes(server, drafting.draft);
    },
    keeps: {
      cassettes: { days: KEPT_DAYS, deleteOlder },
      cassettes_of_calls: { days, deleteOlder: deleteOlderCalls },
    },
    expire: { transcripts: forgetCalls, metadata: forgetCalls },
    erase: { user: (trx, { user_id }) => scenarios.erase(trx, user_id) },
  };
}
