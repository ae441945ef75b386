// The language models of the worker, for the command that tests agents.
import { initializeLogger } from '@livekit/agents';
import type { JsonObject } from '@switchboard/client';
import type { MakeAgent, Minds } from '@switchboard/scenarios';
import type { Scenario } from '@switchboard/scenarios/schema';
import type { Tape } from '@switchboard/scenarios/tape';
import { readModelSettings } from '../settings.ts';
import { readPrices } from '../switchboard/prices.ts';
import { createParts } from './hold.ts';

/** Makes agents with their own models, by the worker's variables. Throws if these are wrong. */
export function createModelAgents(env: Readonly<Record<string, string | undefined>>) {
  initializeLogger({ pretty: false, level: 'silent' });
  const { models, pricesFile } = readModelSettings(env);
  const prices = readPrices(pricesFile);
  return (scenario: Pick<Scenario, 'variables'>, config: JsonObject, tape: Tape | null): Minds & { make: MakeAgent } =>
    createParts(scenario, config, { models, prices, tape });
}
