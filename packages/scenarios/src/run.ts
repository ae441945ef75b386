import { createHash } from 'node:crypto';
import type { Spoken, Surroundings, TestedAgent } from './agent.ts';
import { type Check, checkAll, type Judge } from './expect.ts';
import type { Scenario, Step } from './schema.ts';
import type { EndReason, Trace, TraceTurn } from './trace.ts';
import { type Answer, createWorld } from './world.ts';

export interface RunResult {
  /** `invalid`: nothing can be said about the agent. */
  status: 'passed' | 'failed' | 'invalid';
  checks: Check[];
  trace: Trace;
  /** The same for the same conversation, on any machine. */
  hash: string;
}

/** Made for each run, because an agent remembers its conversation. */
export type MakeAgent = (around: Surroundings) => TestedAgent;

/** The time of scenarios that have none. */
const EPOCH = '2026-01-01T12:00:00Z';
/** Tools of the call itself, which need no stand-in: in a test they are carried out by saying so. */
const CALL_TOOLS: Record<string, string> = {
  hang_up: 'The call has ended.',
  transfer: 'The call is being transferred.',
  send_dtmf: 'The keys were pressed.',
};

/** Holds one conversation in text, by the script, and checks the expectations. Does not reject when the agent fails. */
export async function runScenario(scenario: Scenario, make: MakeAgent, judge: Judge | null = null): Promise<RunResult> {
  const trace = await converse(scenario, make);
  const checks = [...unheld(scenario), ...(await checkAll(scenario.expect, trace, judge))];
  const isInvalid = unheld(scenario).length > 0;
  const isFailed = trace.error !== null || checks.some(({ outcome }) => outcome === 'failed');
  const isUndecided = checks.some(({ outcome }) => outcome === 'undecided');
  const status = isInvalid ? 'invalid' : isFailed ? 'failed' : isUndecided ? 'invalid' : 'passed';
  const hash = createHash('sha256').update(JSON.stringify({ trace, checks })).digest('hex');
  return { status, checks, trace, hash };
}

/** Parts of a scenario that a scripted conversation in text leaves out: nothing can be said about the agent then. */
function unheld({ mode = 'text', caller }: Scenario): Check[] {
  return [
    ...(mode === 'text' ? [] : [`a conversation by ${mode}`]),
    ...(caller.persona ? ['a caller with a persona'] : []),
  ].map((expected) => ({ expected, outcome: 'undecided', found: 'conversations are held in text, by a script' }));
}

async function converse(scenario: Scenario, make: MakeAgent): Promise<Trace> {
  const { world: initial = {}, tools = {}, clock = EPOCH, caller } = scenario;
  const world = createWorld(initial, tools);
  const begun = Date.parse(clock);
  let at_ms = 0;
  const agent = make({
    callTool: (name, args, timeoutMs): Answer => {
      const own = Object.hasOwn(tools, name) ? undefined : CALL_TOOLS[name];
      const answer = own === undefined ? world.call(name, args, timeoutMs) : { text: own, isError: false, ms: 0 };
      at_ms += answer.ms;
      return answer;
    },
    now: () => new Date(begun + at_ms),
    timeZone: zoneOf(clock),
  });
  const turns: TraceTurn[] = [];
  const end = (end_reason: EndReason, error: string | null = null): Trace => {
    return { turns, end_reason, error, world: world.state, cost: agent.cost(), duration_ms: at_ms };
  };
  /** Lets the time pass before a step. The agent may speak meanwhile, and even end the call, which is returned. */
  async function wait({ after_ms = 0, interrupt }: Step): Promise<Spoken['ends']> {
    const until = at_ms + after_ms;
    // Somebody who interrupts has listened until then.
    for (const { silence } = agent; silence && interrupt === undefined && at_ms + silence.ms < until; ) {
      at_ms += silence.ms;
      const spoken = await silence.act();
      turns.push(turnOf(spoken, at_ms, null, false));
      if (spoken.ends) return spoken.ends;
    }
    at_ms = Math.max(at_ms, until);
    return null;
  }
  try {
    const opened = await agent.open();
    if (opened) turns.push(turnOf(opened, at_ms, null, false));
    for (const step of caller.script ?? []) {
      const left = await wait(step);
      if (left) return end(left);
      if (step.hang_up) return end('caller_hung_up');
      const began = at_ms;
      const spoken = await take(agent, step);
      turns.push(turnOf(spoken, began, heardIn(step), step.interrupt !== undefined));
      if (spoken.ends) return end(spoken.ends);
    }
    return end('script_over');
  } catch (error) {
    return end('failed', error instanceof Error ? error.message : String(error));
  }
}

function take(agent: TestedAgent, { dtmf, say, interrupt }: Step): Promise<Spoken> {
  return dtmf === undefined ? agent.hear(say ?? interrupt ?? '') : agent.press(dtmf);
}

const heardIn = ({ dtmf, say, interrupt }: Step) => (dtmf === undefined ? (say ?? interrupt ?? '') : `[${dtmf}]`);

function turnOf({ ends: _, ...spoken }: Spoken, at_ms: number, heard: string | null, interrupted: boolean): TraceTurn {
  return { at_ms, heard, interrupted, ...spoken };
}

/** The offset of a time, as a time zone. */
function zoneOf(time: string): string {
  return /[+-]\d{2}:\d{2}$/.exec(time)?.[0] ?? 'UTC';
}
