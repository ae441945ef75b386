import type { Outcome } from '@switchboard/scenarios/outcome';
import { inSubprocess } from '../../lib/subprocess.ts';
import type { ScenarioWork } from '../workers.ts';

const LIMITS = { ms: 60_000, megabytes: 96 };
const MODULE = new URL('./scenario-process.ts', import.meta.url);

/** Holds conversations of a scenario by rules, in another process: the scenario decides how much they take. */
export function runScenario({ scenario, runs, config }: ScenarioWork): Promise<Outcome> {
  return inSubprocess<Outcome>(MODULE, { scenario, runs, config }, LIMITS);
}
