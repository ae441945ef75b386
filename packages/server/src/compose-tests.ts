import { listToolCalls } from './calling/chats/store.ts';
import { createHistory } from './calling/history/history.ts';
import { createDrafting } from './calling/scenarios/drafting.ts';
import { scenariosFeature } from './calling/scenarios/feature.ts';
import { createScenarios } from './calling/scenarios/scenarios.ts';
import { createEnding, SCENARIO } from './calling/test-runs/ending.ts';
import { testRunsFeature } from './calling/test-runs/feature.ts';
import { createTestTask } from './calling/test-runs/scenario-task.ts';
import { createTestRuns } from './calling/test-runs/test-runs.ts';
import type { Turns } from './conversations/turns/turns.ts';
import type { Feature } from './feature.ts';
import { simulate } from './work/simulated.ts';

/** Each is a process. */
const SIMULATED_AT_ONCE = 2;

type Parts = { turns: Turns } & Omit<
  Parameters<typeof createTestRuns>[0],
  'scenarios' | 'ending' | 'recall' | 'findCalls'
> &
  Omit<Parameters<typeof createDrafting>[0], 'toolCalls' | 'interruptions'> &
  Parameters<typeof createHistory>[0] &
  Parameters<typeof createScenarios>[0] &
  Parameters<typeof createEnding>[0];

/** Tests of agents, and who holds their conversations: workers that claim tasks, or this process in the sandbox. */
export function testFeatures(parts: Parts, days: number | undefined): Feature[] {
  const scenarios = createScenarios(parts);
  const ending = createEnding(parts);
  const { interruptions } = parts.turns;
  const drafting = createDrafting({ ...parts, toolCalls: toolCallsOf(parts), interruptions });
  const { recall } = drafting;
  const { finding: findCalls } = createHistory(parts);
  const runs = createTestRuns({ ...parts, scenarios, ending, recall, findCalls });
  const task = createTestTask({ ...parts, ending, cassettes: scenarios.cassettes });
  const work = simulated(parts, task);
  return [
    { ...testRunsFeature(runs, work, days), tasks: { [SCENARIO]: task } },
    scenariosFeature(scenarios, drafting, days),
  ];
}

function simulated(parts: Parts, task: ReturnType<typeof createTestTask>) {
  const { runScenario } = parts.workers;
  if (!runScenario) return {};
  return simulate(parts, SCENARIO, task, async (work) => ({ result: await runScenario(work) }), SIMULATED_AT_ONCE);
}

/** Reads the calls of tools in a chat, in which the sandbox calls nothing, and those in a call. */
function toolCallsOf({ db, workers, turns }: Pick<Parts, 'db' | 'workers' | 'turns'>) {
  return async (session_id: string) => ({
    byMessage: await listToolCalls(db, session_id),
    byTime: await turns.toolCalls.list(session_id),
    isReal: workers.answerChat === undefined,
  });
}
