import type { ScenarioSummary, Suite, Switchboard } from '@switchboard/client';
import { nameOf } from './scenario-name.ts';

export interface Added {
  /** Scenarios that are there, of how many. */
  done: number;
  of: number;
}

type Api = Pick<Switchboard, 'scenarios' | 'suites'>;

/** Saves those of these scenarios that there are not yet, then a suite of them all unless there is one. */
export async function addTests(
  api: Api,
  name: string,
  texts: string[],
  onProgress: (progress: Added) => void,
): Promise<Suite> {
  for await (const suite of api.suites.list({ limit: 100 })) if (suite.name === name) return suite;
  const known = new Map<string, ScenarioSummary>();
  for await (const scenario of api.scenarios.list({ limit: 100 })) known.set(scenario.name, scenario);
  const ids: string[] = [];
  for (const text of texts) {
    onProgress({ done: ids.length, of: texts.length });
    const { id } = known.get(nameOf(text)) ?? (await api.scenarios.save({ text }));
    ids.push(id);
  }
  return api.suites.save({ name, scenarios: ids });
}
