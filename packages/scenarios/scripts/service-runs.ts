import { setTimeout as sleep } from 'node:timers/promises';
import type { Switchboard, TestResult } from '@switchboard/client';
import { hashOf, type RunResult } from '../src/run.ts';
import type { Scenario } from '../src/schema.ts';

const LOOK_MS = 1_000;

/** A scenario of a file, and the agent of the service that it tests. */
interface Asked {
  scenario: Scenario;
  /** The file's. */
  text: string;
  agent: { id: string; version: number | 'draft' };
  runs: number;
}

/** Has a worker of the service hold conversations that need a media server; the scenario is kept there by its name. */
export async function runByService(service: Switchboard, { scenario, text, agent, runs }: Asked): Promise<RunResult[]> {
  const { id } = await service.scenarios.save({ text });
  const asked = { agent_id: agent.id, agent_version: agent.version, scenarios: [id], runs };
  let run = await service.testRuns.start(asked);
  while (run.ended_at === null) {
    await sleep(LOOK_MS);
    run = await service.testRuns.get(run.id);
  }
  const { items } = await service.testRuns.results(run.id);
  const [result] = items;
  if (!result) throw new Error(`The test run ${run.id} has no result.`);
  return runsOf(result, scenario.mode ?? 'text', `the test run was ${run.status}`);
}

type Shown = TestResult['conversations'][number];

/** Each run; those that the service has not kept have no turns. */
function runsOf({ conversations, error, ...counts }: TestResult, mode: string, otherwise: string): RunResult[] {
  const kept = conversations.flatMap((one) => Array.from({ length: one.times }, () => runOf(one, mode)));
  const statuses = ['passed', 'failed', 'invalid'] as const;
  const rest = statuses.flatMap((status) => {
    const missing = counts[status] - kept.filter((one) => one.status === status).length;
    const found = error ?? (status === 'invalid' ? otherwise : 'the service has not kept this conversation');
    const checks = [{ expected: `a conversation by ${mode}`, outcome: 'undecided' as const, found }];
    const run = { status, checks: status === 'passed' ? [] : checks, trace: NOTHING };
    return Array.from({ length: Math.max(0, missing) }, () => ({ ...run, hash: hashOf(mode, NOTHING, run.checks) }));
  });
  return [...kept, ...rest];
}

const NOTHING: RunResult['trace'] = {
  turns: [],
  end_reason: 'failed',
  error: null,
  world: {},
  cost: null,
  duration_ms: 0,
};

function runOf({ status, times: _, checks, turns: shown, ...facts }: Shown, mode: string): RunResult {
  const turns = shown.map(({ calls, decisions = [], ...turn }) => ({
    ...turn,
    decisions,
    calls: calls.map(({ is_error: isError, ...call }) => ({ ...call, isError })),
  }));
  const trace: RunResult['trace'] = { ...facts, turns };
  return { status, checks, trace, hash: hashOf(mode, trace, checks) };
}
