import { listToolCalls } from './calling/chats/store.ts';
import { createDrafting } from './calling/scenarios/drafting.ts';
import { scenariosFeature } from './calling/scenarios/feature.ts';
import { createScenarios } from './calling/scenarios/scenarios.ts';
import { createEnding, SCENARIO } from './calling/test-runs/ending.ts';
import { testRunsFeature } from './calling/test-runs/feature.ts';
import { createTestTask } from './calling/test-runs/scenario-task.ts';
import { createSimulatedTests } from './calling/test-runs/simulated-tests.ts';
import { createTestRuns } from './calling/test-runs/test-runs.ts';
import type { Feature } from './feature.ts';

type Parts = Omit<Parameters<typeof createTestRuns>[0], 'scenarios' | 'ending'> &
  Omit<Parameters<typeof createDrafting>[0], 'toolCalls'> &
  Parameters<typeof createEnding>[0] &
  Omit<Parameters<typeof createSimulatedTests>[0], 'task'>;

/** Tests of agents, and who holds their conversations: workers that claim tasks, or this process in the sandbox. */
export function testFeatures(parts: Parts): Feature[] {
  const scenarios = createScenarios(parts);
  const ending = createEnding(parts);
  const runs = createTestRuns({ ...parts, scenarios, ending });
  const task = createTestTask({ ...parts, ending });
  const work = createSimulatedTests({ ...parts, task });
  return [
    { ...testRunsFeature(runs, work), tasks: { [SCENARIO]: task.kind } },
    scenariosFeature(scenarios, createDrafting({ ...parts, toolCalls: toolCallsOf(parts) })),
  ];
}

/** Reads the calls of tools in a chat; those of the sandbox, which calls nothing, are none. */
function toolCallsOf({ db, workers }: Pick<Parts, 'db' | 'workers'>) {
  return async (session_id: string) => {
    if (workers.answerChat) return [];
    const byMessage = [...(await listToolCalls(db, session_id))];
    return byMessage.sort(([a], [b]) => (a < b ? -1 : 1)).flatMap(([, calls]) => calls);
  };
}
