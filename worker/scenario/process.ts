// Holds the conversations of a scenario. The worker starts this process for each one, and kills it.
import { initializeLogger } from '@livekit/agents';
import type { ScenarioTask } from '@switchboard/client';
import type { ModelSettings } from '../conversation/models.ts';
import { readPrices } from '../switchboard/prices.ts';
import type { Held } from './apart.ts';
import { hold } from './hold.ts';
import { NotAnswered } from './not-answered.ts';

initializeLogger({ pretty: false, level: 'silent' });
process.once('message', (asked: { task: ScenarioTask; models: ModelSettings; pricesFile: string | null }) => {
  const tell = (held: Held) => process.send?.(held);
  Promise.resolve()
    .then(() => hold(asked.task, asked.models, readPrices(asked.pricesFile)))
    .then(
      (outcome) => tell({ outcome }),
      (error: unknown) => {
        const isRetryable = error instanceof NotAnswered && error.isRetryable;
        tell({ error: error instanceof Error ? error.message : String(error), isRetryable });
      },
    );
});
process.once('disconnect', () => process.exit());
