import type { ScenarioTask } from '@switchboard/client';
import { NotHeld } from '@switchboard/scenarios/agent';
import { createJudge } from '@switchboard/scenarios/judge';
import { holdAll, type Outcome } from '@switchboard/scenarios/outcome';
import { createCallers } from '@switchboard/scenarios/persona';
import type { Scenario } from '@switchboard/scenarios/schema';
import { readConfig, type Section } from '../conversation/config.ts';
import type { ModelSettings } from '../conversation/models.ts';
import type { Prices } from '../switchboard/prices.ts';
import { createModelAgent } from './agent.ts';
import { createAsk } from './ask.ts';

/**
 * Holds the conversations of a scenario with the agent's language model. Throws if the agent's configuration is wrong,
 * and `NotHeld` if a model does not answer.
 */
export function hold(task: ScenarioTask, models: ModelSettings, prices: Prices): Promise<Outcome> {
  // It was read before it was stored.
  const scenario = task.scenario as unknown as Scenario;
  const config = readConfig({ config: task.config, variables: scenario.variables ?? {} });
  const ask = createAsk(task.config, models);
  const isRules = (model: unknown) => readModel(model ?? task.config.llm).provider === 'local';
  const [judge, callers] = [createJudge(ask), createCallers(ask)];
  return holdAll(scenario, task.runs, (around) => createModelAgent({ config, around, models, prices, ask }), {
    judge: async (claim, judged, model) =>
      isRules(model) ? { holds: null, reason: NO_JUDGE } : judge(claim, judged, model),
    caller: (persona) => {
      if (isRules(persona.model)) throw new NotHeld(NO_CALLER);
      return callers(persona);
    },
  });
}

const NO_JUDGE = 'the rules of `local` do not judge: name a model';
const NO_CALLER = 'The rules of `local` do not play a caller: name a model.';

const readModel = (llm: unknown) => readConfig({ config: { llm } as Section, variables: {} }).llm[0];
