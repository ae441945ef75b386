import { setTimeout as sleep } from 'node:timers/promises';
import { type Switchboard, SwitchboardError, type TestResult, type TestRun } from '@switchboard/client';
import { hashOf, type RunResult } from '../src/run.ts';
import type { Scenario } from '../src/schema.ts';

const LOOK_MS = 500;
/** Until a test run that is one too many for the user is started again. */
const BUSY_MS = 5_000;
/** Limits of one test run; its texts have to fit into a request of 1 MiB. */
const MAX_TEXTS = 200;
const MAX_CONVERSATIONS = 2000;
const MAX_BYTES = 1_000_000;

/** A scenario of a file, and the agent of the service that it tests. */
export interface Asked {
  scenario: Scenario;
  file: string;
  /** The file's. */
  text: string;
  agent: { id: string; version: number | 'draft' };
}

interface RunOptions {
  /** Instead of those that scenarios ask for. */
  runs: number | undefined;
  /** Cancels what is not over. */
  signal: AbortSignal;
  /** Hears how many scenarios have ended. */
  onProgress(done: number): void;
}

/**
 * Has the service hold the conversations, in one test run for each agent and version, and one more where they are too
 * many for it. Nothing is kept there but the test runs. Rejects with the reason of `signal` once it has canceled them.
 */
export async function runByService(service: Switchboard, asked: readonly Asked[], options: RunOptions) {
  const held = new Map<Asked, RunResult[]>();
  let isSimulated = false;
  for (const part of partsOf(asked, options.runs)) {
    const before = held.size;
    const onProgress = (done: number) => options.onProgress(before + done);
    const run = await hold(service, part, { ...options, onProgress });
    isSimulated ||= run.is_simulated;
    // In the order in which their texts were sent.
    const results = await service.testRuns.results(run.id).toArray();
    for (const [at, one] of part.entries()) {
      const result = results[at];
      if (!result) throw new Error(`The test run ${run.id} has no result for ${one.file}.`);
      held.set(one, runsOf(result, one.scenario.mode ?? 'text', `the test run was ${run.status}`));
    }
    options.onProgress(held.size);
  }
  return { held, isSimulated };
}

/** Scenarios that one test run can have. */
function partsOf(asked: readonly Asked[], runs: number | undefined): Asked[][] {
  const groups = Map.groupBy(asked, ({ agent }) => `${agent.id}/${agent.version}`);
  return [...groups.values()].flatMap((group) => {
    const parts: Asked[][] = [];
    for (const one of group) {
      const last = parts.at(-1);
      if (last && fits([...last, one], runs)) last.push(one);
      else parts.push([one]);
    }
    return parts;
  });
}

function fits(part: readonly Asked[], runs: number | undefined): boolean {
  const conversations = part.reduce((sum, { scenario }) => sum + (runs ?? scenario.runs ?? 1), 0);
  const bytes = Buffer.byteLength(JSON.stringify(part.map(({ text }) => text)));
  return part.length <= MAX_TEXTS && conversations <= MAX_CONVERSATIONS && bytes <= MAX_BYTES;
}

/** Starts a test run and waits for its end. */
async function hold(service: Switchboard, part: Asked[], { runs, signal, onProgress }: RunOptions): Promise<TestRun> {
  let run = await start(service, part, runs, signal);
  try {
    while (run.ended_at === null) {
      onProgress(run.passed + run.failed + run.invalid);
      await sleep(LOOK_MS, undefined, { signal });
      run = await service.testRuns.get(run.id, { signal });
    }
    return run;
  } catch (error) {
    const told = `The test run ${run.id} could not be canceled, and is still running.`;
    await service.testRuns.cancel(run.id).catch(() => console.error(told));
    throw signal.aborted ? signal.reason : error;
  }
}

/** Waits while as many test runs of the user have not ended as may be open. */
async function start(
  service: Switchboard,
  part: Asked[],
  runs: number | undefined,
  signal: AbortSignal,
): Promise<TestRun> {
  const [{ agent } = {}] = part;
  if (!agent) throw new Error('a test run has no scenarios');
  const texts = part.map(({ text }) => text);
  const asked = { agent_id: agent.id, agent_version: agent.version, texts, ...(runs !== undefined && { runs }) };
  try {
    for (;;) {
      signal.throwIfAborted();
      const run = await service.testRuns.start(asked).catch(unlessBusy);
      if (run) return run;
      await sleep(BUSY_MS, undefined, { signal }).catch(() => {});
    }
  } catch (error) {
    if (signal.aborted) throw signal.reason;
    if (!(error instanceof SwitchboardError) || error.problems.length === 0) throw error;
    const told = error.problems.map(({ loc, msg }) => {
      const [, field, at] = loc;
      const file = field === 'texts' && typeof at === 'number' ? part[at]?.file : undefined;
      return file === undefined ? `${loc.slice(1).join('.')}: ${msg}` : `${file}: ${msg}`;
    });
    throw new Error(told.join('\n'));
  }
}

function unlessBusy(error: unknown): null {
  if (error instanceof SwitchboardError && error.code === 'too_many_test_runs') return null;
  throw error;
}

type Shown = TestResult['conversations'][number];

/** Each run; those that the service has not kept have no turns. */
function runsOf({ conversations, error, ...counts }: TestResult, mode: string, otherwise: string): RunResult[] {
  const kept = conversations.flatMap((one) => Array.from({ length: one.times }, () => runOf(one, mode)));
  const statuses = ['passed', 'failed', 'invalid'] as const;
  // A run that was canceled counts no outcome of those that it has not held.
  const unheld = counts.runs - counts.passed - counts.failed - counts.invalid;
  const rest = statuses.flatMap((status) => {
    const count = counts[status] + (status === 'invalid' ? unheld : 0);
    const missing = count - kept.filter((one) => one.status === status).length;
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
    // In the order of conversations that are held here: the hash of both is the same.
    calls: calls.map(({ is_error: isError, ms, ...call }) => ({ ...call, isError, ms })),
  }));
  const trace: RunResult['trace'] = { ...facts, turns };
  return { status, checks, trace, hash: hashOf(mode, trace, checks) };
}
