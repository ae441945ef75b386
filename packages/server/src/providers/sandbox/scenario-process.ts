import { holdAll } from '@switchboard/scenarios/outcome';
import { createRulesAgent } from '@switchboard/scenarios/rules-agent';
import type { Scenario } from '@switchboard/scenarios/schema';
import type { ScenarioWork } from '../workers.ts';

process.once('message', async ({ scenario, runs, config }: ScenarioWork) => {
  // It was read before it was stored.
  const given = scenario as Scenario;
  process.send?.(await holdAll(given, runs, (around) => createRulesAgent(config, given.variables ?? {}, around)));
});
