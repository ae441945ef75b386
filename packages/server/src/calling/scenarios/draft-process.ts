import { writeScenario } from '@switchboard/scenarios/format';
import { readScenario } from '@switchboard/scenarios/read';
import type { Scenario } from '@switchboard/scenarios/schema';

process.once('message', ({ scenario }: { scenario: Scenario }) => {
  const text = writeScenario(scenario);
  process.send?.({ text, problems: readScenario(text).problems });
});
