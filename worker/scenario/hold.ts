import type { JsonObject, ScenarioTask } from '@switchboard/client';
import type { MakeAgent, Minds } from '@switchboard/scenarios';
import { NotHeld } from '@switchboard/scenarios/agent';
import { createJudge } from '@switchboard/scenarios/judge';
import { holdAll, type Outcome } from '@switchboard/scenarios/outcome';
import { createCallers } from '@switchboard/scenarios/persona';
import type { Scenario } from '@switchboard/scenarios/schema';
import { NotRecorded, type Tape } from '@switchboard/scenarios/tape';
import { readConfig } from '../conversation/config.ts';
import type { ModelSettings } from '../conversation/models.ts';
import type { Prices, Used } from '../switchboard/prices.ts';
import { createModelAgent } from './agent.ts';
import { createAsk } from './ask.ts';
import { type CallMeans, createCalls } from './audio/call.ts';

/** The models, with which conversations are held. */
export interface Means {
  models: ModelSettings;
  prices: Prices;
  /** Records the answers of models, or replays them; null for neither. */
  tape: Tape | null;
  /** Takes the usage of models that are asked; nothing is used in a replay. */
  onUsed?: (used: Used) => void;
  /** The media server, and the id of the task that names its rooms; null for a process without them. */
  rooms?: Pick<CallMeans, 'media' | 'phoneHost' | 'task_id'> | null;
}

/**
 * Holds the conversations of a scenario with the agent's language model. Throws if the agent's configuration is wrong,
 * and `NotHeld` if a model does not answer.
 */
export function hold(task: Pick<ScenarioTask, 'config' | 'scenario' | 'runs'>, means: Means): Promise<Outcome> {
  // It was read before it was stored.
  const scenario = task.scenario as unknown as Scenario;
  const { make, ...minds } = createParts(scenario, task.config, means);
  return holdAll(scenario, task.runs, make, minds);
}

/** The agent of a scenario, and the models beside it. Throws if the configuration is wrong. */
export function createParts(
  { variables = {} }: Pick<Scenario, 'variables'>,
  config: JsonObject,
  { models, prices, tape, onUsed = () => {}, rooms = null }: Means,
): Minds & { make: MakeAgent } {
  const read = readConfig({ config, variables });
  const count = tape?.mode === 'replay' ? () => {} : onUsed;
  const ask = createAsk(config, models, tape, count);
  const isRules = (model: unknown) => readModel(model ?? config.llm).provider === 'local';
  const [judge, callers] = [createJudge(ask), createCallers(ask)];
  // Sound has no cassette.
  const call =
    rooms && !tape ? createCalls({ config: read, tts: config.tts, models, prices, onUsed: count, ...rooms }) : null;
  return {
    call,
    phone: rooms?.phoneHost ? call : null,
    make: (around) => {
      if (read.realtime && config.llm == null) throw new NotHeld(NO_TEXT);
      return createModelAgent({ config: read, around, models, prices, tape, ask, onUsed: count });
    },
    judge: async (claim, judged, model) =>
      isRules(model) ? { holds: null, reason: NO_JUDGE } : judge(claim, judged, model).catch(undecided),
    caller: (persona) => {
      if (isRules(persona.model)) throw new NotHeld(NO_CALLER);
      return callers(persona);
    },
  };
}

/** A judge whose decision was not recorded has decided nothing. */
function undecided(error: unknown) {
  if (!(error instanceof NotRecorded)) throw error;
  return { holds: null, reason: error.message };
}

const NO_JUDGE = 'the rules of `local` do not judge: name a model';
const NO_TEXT =
  'The agent has a realtime model, which does not write: hold the conversation with `mode: audio`, or give the agent an `llm` too.';
const NO_CALLER = 'The rules of `local` do not play a caller: name a model.';

const readModel = (llm: unknown) => readConfig({ config: { llm }, variables: {} }).llm[0];
