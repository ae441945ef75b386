import { readScenario } from '@switchboard/scenarios/read';

process.once('message', ({ text }: { text: string }) => {
  process.send?.(readScenario(text));
});
