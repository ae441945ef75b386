import type { Scenario, Suite } from '@switchboard/client';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { keys } from './keys.ts';
import { useSession } from './session.tsx';

/** Somebody else has saved another text since; it has been read. */
export class NewerText extends Error {
  constructor() {
    super('Somebody else has saved this scenario meanwhile.');
  }
}

interface Saved {
  text: string;
  /** The scenario with the text that was edited; absent for a new one. */
  from: Pick<Scenario, 'id' | 'text'> | undefined;
  /** The name of the suite that it is added to, which is made unless there is one; empty for none. */
  into: string;
}

/**
 * Saves a scenario, and adds it to a suite. The mistakes of its text are those of the error. Throws `NewerText` if the
 * text that was edited is not the stored one any more.
 */
export function useSaveScenario() {
  const { api, user } = useSession();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async ({ text, from, into }: Saved) => {
      const stored = from && (await api.scenarios.get(from.id));
      if (stored && stored.text !== from.text) {
        queries.setQueryData(keys.scenario(user, stored.id), stored);
        throw new NewerText();
      }
      const scenario = await api.scenarios.save({ text });
      if (into) await addToSuite(into, scenario.id);
      return scenario;
    },
    onSuccess: (scenario) => queries.setQueryData(keys.scenario(user, scenario.id), scenario),
    onSettled: () => queries.invalidateQueries({ queryKey: keys.tests(user) }),
  });

  async function addToSuite(name: string, id: string): Promise<void> {
    let found: Suite | undefined;
    for await (const suite of api.suites.list({ limit: 100 })) if (suite.name === name) found = suite;
    const scenarios = found?.scenarios ?? [];
    if (!scenarios.includes(id)) await api.suites.save({ name, scenarios: [...scenarios, id] });
  }
}
