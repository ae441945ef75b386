import type { Check } from './expect.ts';
import { problemsOf } from './report.ts';
import { type MakeAgent, type Minds, type RunResult, runScenario } from './run.ts';
import type { Scenario } from './schema.ts';
import type { EndReason, TraceTurn } from './trace.ts';

/** A conversation as services keep it: how it went, and how many runs went like that. */
export interface Conversation {
  status: RunResult['status'];
  times: number;
  checks: Check[];
  turns: KeptTurn[];
  end_reason: EndReason;
  error: string | null;
  world: Record<string, unknown>;
  cost: string | null;
  duration_ms: number;
}

interface KeptTurn extends Omit<TraceTurn, 'calls'> {
  calls: { name: string; arguments: Record<string, unknown>; text: string; is_error: boolean; ms: number }[];
}

/** All runs of a scenario, as services keep them. */
export interface Outcome {
  passed: number;
  failed: number;
  invalid: number;
  /** Why the first run that did not pass did not, a line for each check. */
  problems: string[];
  /** Those that differ, beginning with those that did not pass. */
  conversations: Conversation[];
  /** Whether all that differ are there. */
  is_complete: boolean;
}

/** Bytes of conversations that are kept of one scenario, as JSON. */
export const MAX_KEPT_BYTES = 128 * 1024;
/** Characters of one problem. */
const MAX_PROBLEM = 500;

/** Holds a scenario's conversations one after the other. Rejects with `NotHeld` if one cannot be held. */
export async function holdAll(scenario: Scenario, runs: number, make: MakeAgent, minds: Minds = {}): Promise<Outcome> {
  const counts = { passed: 0, failed: 0, invalid: 0 };
  const distinct = new Map<string, { run: RunResult; times: number }>();
  for (let count = 0; count < runs; count++) {
    const run = await runScenario(scenario, make, minds);
    counts[run.status] += 1;
    const same = distinct.get(run.hash);
    if (same) same.times += 1;
    else distinct.set(run.hash, { run, times: 1 });
  }
  const all = [...distinct.values()];
  const sorted = [
    ...all.filter(({ run }) => run.status !== 'passed'),
    ...all.filter(({ run }) => run.status === 'passed'),
  ];
  const [first] = sorted;
  const conversations = fitting(sorted.map(({ run, times }) => conversationOf(run, times)));
  const problems = problemsOf({ runs: first ? [first.run] : [] }).map((problem) => problem.slice(0, MAX_PROBLEM));
  return { ...counts, problems, conversations, is_complete: conversations.length === all.length };
}

function conversationOf({ status, checks, trace: given }: RunResult, times: number): Conversation {
  const { by_rules: _, ...trace } = given;
  const turns = trace.turns.map(({ calls, ...turn }) => ({
    ...turn,
    calls: calls.map(({ isError: is_error, ...call }) => ({ ...call, is_error })),
  }));
  return { status, times, checks, ...trace, turns };
}

/** As many from the first on as may be kept. */
function fitting(conversations: Conversation[]): Conversation[] {
  let bytes = 2;
  const end = conversations.findIndex((one) => {
    bytes += Buffer.byteLength(JSON.stringify(one)) + 1;
    return bytes > MAX_KEPT_BYTES;
  });
  return end === -1 ? conversations : conversations.slice(0, end);
}
