import type { Feature } from '../../feature.ts';
import type { Drafting } from './drafting.ts';
import { draftRoutes, scenarioRoutes } from './routes.ts';
import type { Scenarios } from './scenarios.ts';
import { suiteRoutes } from './suite-routes.ts';

export function scenariosFeature(scenarios: Scenarios, drafting: Drafting): Feature {
  return {
    tag: {
      name: 'tests',
      description: 'Tests of agents: scenarios, suites of them, and test runs, which hold their conversations.',
    },
    routes: (server) => {
      scenarioRoutes(server, scenarios);
      suiteRoutes(server, scenarios);
      draftRoutes(server, drafting);
    },
    erase: { user: (trx, { user_id }) => scenarios.erase(trx, user_id) },
  };
}
