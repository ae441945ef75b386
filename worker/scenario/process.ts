// Holds the conversations of a scenario. The worker starts this process for each one, and kills it.
import { initializeLogger } from '@livekit/agents';
import type { ScenarioTask } from '@switchboard/client';
import type { Outcome } from '@switchboard/scenarios/outcome';
import type { ModelSettings } from '../conversation/models.ts';
import { readPrices } from '../switchboard/prices.ts';
import { messageOf } from '../tasks/lease.ts';
import { hold } from './hold.ts';
import { NotAnswered } from './not-answered.ts';

/** How it went, or why the conversations could not be held. */
export type Held = { outcome: Outcome } | { error: string; isRetryable: boolean };

interface Asked {
  task: ScenarioTask;
  models: ModelSettings;
  pricesFile: string | null;
}

async function answer({ task, models, pricesFile }: Asked): Promise<Held> {
  try {
    return { outcome: await hold(task, models, readPrices(pricesFile)) };
  } catch (error) {
    return { error: messageOf(error), isRetryable: error instanceof NotAnswered && error.isRetryable };
  }
}

initializeLogger({ pretty: false, level: 'silent' });
process.once('message', async (asked: Asked) => process.send?.(await answer(asked)));
// The worker has been killed.
process.once('disconnect', () => process.exit());
