import { createHash } from 'node:crypto';
import { NotHeld, type Spoken, type Surroundings, type TestedAgent } from './agent.ts';
import { type Check, checkAll } from './expect.ts';
import type { Judge } from './judge.ts';
import { MAX_CALLER_TURNS, type MakeCaller, type Persona } from './persona.ts';
import type { Scenario, Step } from './schema.ts';
import type { EndReason, Trace, TraceTurn } from './trace.ts';
import { type Answer, createWorld } from './world.ts';

export interface RunResult {
  /** `invalid`: nothing can be said about the agent. */
  status: 'passed' | 'failed' | 'invalid';
  checks: Check[];
  trace: Trace;
  /** The same for the same conversation, on any machine and however long it took. */
  hash: string;
}

/** Made for each run, because an agent remembers its conversation. */
export type MakeAgent = (around: Surroundings) => TestedAgent;

/** Language models beside the agent's; null, or left out, where there is none. */
export interface Minds {
  judge?: Judge | null;
  caller?: MakeCaller | null;
}

/** The time of scenarios that have none. */
const EPOCH = '2026-01-01T12:00:00Z';
/** Tools of the call itself, which need no stand-in: in a test they are carried out by saying so. */
const CALL_TOOLS: Record<string, string> = {
  hang_up: 'The call has ended.',
  transfer: 'The call is being transferred.',
  send_dtmf: 'The keys were pressed.',
};

/**
 * Holds one conversation in text, by the script or with a simulated caller, and checks the expectations. Does not
 * reject when the agent fails; rejects with `NotHeld` if the conversation could not be held.
 */
export async function runScenario(scenario: Scenario, make: MakeAgent, minds: Minds = {}): Promise<RunResult> {
  const { judge = null } = minds;
  const trace = await converse(scenario, make, minds);
  const missing = unheld(scenario, minds);
  const checks = [...missing, ...(await checkAll(scenario.expect, trace, judge))];
  const isFailed = trace.error !== null || checks.some(({ outcome }) => outcome === 'failed');
  const isUndecided = checks.some(({ outcome }) => outcome === 'undecided');
  const status = missing.length > 0 ? 'invalid' : isFailed ? 'failed' : isUndecided ? 'invalid' : 'passed';
  return { status, checks, trace, hash: hashOf(trace, checks) };
}

/** Without times that were measured, and the reasons of judges: runs that differ in these are the same. */
function hashOf({ turns, ...trace }: Trace, checks: readonly Check[]): string {
  const facts = {
    ...trace,
    turns: turns.map(({ first_word_ms: _, decisions: __, ...turn }) => turn),
    checks: checks.map(({ expected, outcome }) => [expected, outcome]),
  };
  return createHash('sha256').update(JSON.stringify(facts)).digest('hex');
}

/** Parts of a scenario that cannot be held here: nothing can be said about the agent then. */
function unheld({ mode = 'text', caller: { persona } }: Scenario, { caller = null }: Minds): Check[] {
  const checks: Check[] = [];
  const add = (expected: string, found: string) => checks.push({ expected, outcome: 'undecided', found });
  if (mode !== 'text') add(`a conversation by ${mode}`, 'conversations are held in text only');
  if (persona && !caller) add('a caller with a persona', 'no language model plays the caller here');
  return checks;
}

async function converse(scenario: Scenario, make: MakeAgent, minds: Minds): Promise<Trace> {
  const { world: initial = {}, tools = {}, clock = EPOCH, caller } = scenario;
  const world = createWorld(initial, tools);
  const begun = Date.parse(clock);
  const time = { ms: 0 };
  const agent = make({
    callTool: (name, args, timeoutMs): Answer => {
      const own = Object.hasOwn(tools, name) ? undefined : CALL_TOOLS[name];
      const answer = own === undefined ? world.call(name, args, timeoutMs) : { text: own, isError: false, ms: 0 };
      time.ms += answer.ms;
      return answer;
    },
    now: () => new Date(begun + time.ms),
    timeZone: zoneOf(clock),
  });
  const talk: Talk = { agent, time, turns: [] };
  const end = (end_reason: EndReason, error: string | null = null): Trace => {
    const { turns } = talk;
    return { turns, end_reason, error, world: world.state, cost: agent.cost(), duration_ms: time.ms };
  };
  try {
    const opened = await agent.open();
    if (opened) note(talk, opened, null);
    if (caller.persona && minds.caller) return end(await playPersona(caller.persona, talk, minds.caller));
    return end(await playScript(caller.script ?? [], talk));
  } catch (error) {
    if (error instanceof NotHeld) throw error;
    return end('failed', error instanceof Error ? error.message : String(error));
  } finally {
    await agent.close?.();
  }
}

/** A conversation that goes on. */
interface Talk {
  agent: TestedAgent;
  /** Milliseconds of the virtual clock since it began. */
  time: { ms: number };
  turns: TraceTurn[];
}

function note(
  { turns, time }: Talk,
  { ends, ...spoken }: Spoken,
  heard: string | null,
  { at_ms = time.ms, interrupted = false } = {},
): Spoken['ends'] {
  turns.push({ at_ms, heard, interrupted, ...spoken });
  return ends;
}

async function playScript(script: readonly Step[], talk: Talk): Promise<EndReason> {
  for (const step of script) {
    const left = await wait(step, talk);
    if (left) return left;
    if (step.hang_up) return 'caller_hung_up';
    const at = { at_ms: talk.time.ms, interrupted: step.interrupt !== undefined };
    const ends = note(talk, await take(talk.agent, step), heardIn(step), at);
    if (ends) return ends;
  }
  return 'script_over';
}

/** Lets the time pass before a step. The agent may speak meanwhile, and even end the call, which is returned. */
async function wait({ after_ms = 0, interrupt }: Step, talk: Talk): Promise<Spoken['ends']> {
  const { agent, time } = talk;
  const until = time.ms + after_ms;
  // Somebody who interrupts has listened until then.
  for (const { silence } = agent; silence && interrupt === undefined && time.ms + silence.ms < until; ) {
    time.ms += silence.ms;
    const ends = note(talk, await silence.act(), null);
    if (ends) return ends;
  }
  time.ms = Math.max(time.ms, until);
  return null;
}

function take(agent: TestedAgent, { dtmf, say, interrupt }: Step): Promise<Spoken> {
  return dtmf === undefined ? agent.hear(say ?? interrupt ?? '') : agent.press(dtmf);
}

const heardIn = ({ dtmf, say, interrupt }: Step) => (dtmf === undefined ? (say ?? interrupt ?? '') : `[${dtmf}]`);

/** Ends when somebody hangs up, or after so many turns of the caller. */
async function playPersona(persona: Persona, talk: Talk, make: MakeCaller): Promise<EndReason> {
  const caller = make(persona);
  for (let turn = 0; turn < (persona.max_turns ?? MAX_CALLER_TURNS); turn++) {
    const { words, hangs_up } = await caller.next(talk.turns.at(-1)?.words ?? '');
    const at_ms = talk.time.ms;
    const ends = words ? note(talk, await talk.agent.hear(words), words, { at_ms }) : null;
    if (ends) return ends;
    if (hangs_up) return 'caller_hung_up';
  }
  return 'script_over';
}

/** The offset of a time, as a time zone. */
function zoneOf(time: string): string {
  return /[+-]\d{2}:\d{2}$/.exec(time)?.[0] ?? 'UTC';
}
