/** The process of one check: it gets the model and the settings as a message, and answers with another one. */
import { initializeLogger } from '@livekit/agents';
import type { ProviderCheckCreate } from '@switchboard/client';
import type { ModelSettings } from '../conversation/models.ts';
import { checkModel } from './check.ts';
import { explain } from './explain.ts';

interface Asked {
  asked: ProviderCheckCreate;
  models: ModelSettings;
}

initializeLogger({ pretty: false, level: 'silent' });
process.once('disconnect', () => process.exit());
process.once('message', ({ asked, models }: Asked) => {
  const answer = (checked: object) => process.send?.(checked, () => process.exit());
  // A connection that is refused may surface here: version 1.8.1 of a plugin has no listener for it.
  process.once('uncaughtException', (error) => {
    answer({ outcome: 'failed', ...explain({ error, isCreated: true, status: null }, models), latency_ms: null });
  });
  void checkModel(asked, models).then(answer);
});
