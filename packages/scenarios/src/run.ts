import { createHash } from 'node:crypto';
import { NotHeld, OPT_OUT_TOOL, type Spoken, type Surroundings, type TestedAgent } from './agent.ts';
import { type Check, checkAll } from './expect.ts';
import type { Judge } from './judge.ts';
import { entered } from './keys.ts';
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

/** Language models beside the agent's, and calls; null, or left out, where there is none. */
export interface Minds {
  judge?: Judge | null;
  caller?: MakeCaller | null;
  call?: HoldCall | null;
  /** The same by phone, through a SIP bridge. */
  phone?: HoldCall | null;
}

/** A call as it went, and why nothing can be said about it; its tools have been played by what it was given. */
export interface HeldCall extends Omit<Trace, 'world'> {
  missing: Check[];
}

/** Holds the conversation of a scenario by voice, in real time. Rejects with `NotHeld` if it cannot be held. */
export type HoldCall = (scenario: Scenario, around: Surroundings, caller: MakeCaller | null) => Promise<HeldCall>;

/** The time of scenarios that have none. */
const EPOCH = '2026-01-01T12:00:00Z';
/** Tools of the call itself, which need no stand-in: in a test they are carried out by saying so. */
const CALL_TOOLS: Record<string, string> = {
  hang_up: 'The call has ended.',
  transfer: 'The call is being transferred.',
  send_dtmf: 'The keys were pressed.',
  [OPT_OUT_TOOL]: 'The person will not be called any more.',
};

/**
 * Holds one conversation, by the script or with a simulated caller, and checks the expectations. Does not reject when
 * the agent fails; rejects with `NotHeld` if the conversation could not be held.
 */
export async function runScenario(scenario: Scenario, make: MakeAgent, minds: Minds = {}): Promise<RunResult> {
  const { mode = 'text', expect } = scenario;
  const { judge = null } = minds;
  const unable = unheld(scenario, minds);
  const { missing, trace } = await heldBy(scenario, make, minds, unable);
  // Calls that were not held, or in which somebody was not heard, say nothing.
  const expected = mode !== 'text' && missing.length > 0 ? [] : expect;
  const checks = [...missing, ...(await checkAll(expected, trace, judge))];
  const isFailed = trace.error !== null || checks.some(({ outcome }) => outcome === 'failed');
  // Without one that was checked, nothing can be said either.
  const isUndecided =
    checks.some(({ outcome }) => outcome === 'undecided') || checks.every(({ outcome }) => outcome === 'not_checked');
  const status = missing.length > 0 ? 'invalid' : isFailed ? 'failed' : isUndecided ? 'invalid' : 'passed';
  return { status, checks, trace, hash: hashOf(mode, trace, checks) };
}

/** Without times that were measured, and the reasons of judges: runs that differ in these are the same. */
export function hashOf(mode: string, given: Trace, checks: readonly Check[]): string {
  const { turns, duration_ms, by_rules: _, ...trace } = given;
  const isTimed = mode === 'text';
  const facts = {
    ...trace,
    ...(isTimed && { duration_ms }),
    turns: turns.map(({ first_word_ms: _, first_audio_ms: __, decisions: ___, at_ms, calls, ...turn }) => ({
      ...turn,
      ...(isTimed && { at_ms }),
      calls: isTimed ? calls : calls.map(({ ms: _, ...call }) => call),
    })),
    checks: checks.map(({ expected, outcome }) => [expected, outcome]),
  };
  return createHash('sha256').update(JSON.stringify(facts)).digest('hex');
}

/** Parts of a scenario that cannot be held here: nothing can be said about the agent then. */
function unheld({ mode = 'text', caller: { persona } }: Scenario, minds: Minds): Check[] {
  const { caller = null, call = null, phone = null } = minds;
  const checks: Check[] = [];
  const add = (expected: string, found: string) => checks.push({ expected, outcome: 'undecided', found });
  if (mode === 'phone' && !phone) add('a conversation by phone', NO_PHONE);
  if (mode === 'audio' && !call) add('a conversation by audio', NO_AUDIO);
  if (persona && !caller) add('a caller with a persona', 'no language model plays the caller here');
  return checks;
}

/** Why a conversation by audio is not held. */
const NO_AUDIO = 'only a worker with a media server holds conversations by audio, as a test run of a service';

/** Why a conversation by phone is not held. */
const NO_PHONE =
  'only a worker with TEST_PHONE_HOST, where a SIP bridge reaches its phones, holds conversations by phone, as a test run of a service';

type Heard = { trace: Trace; missing: Check[] };

async function heldBy(scenario: Scenario, make: MakeAgent, minds: Minds, unable: Check[]): Promise<Heard> {
  const { mode = 'text' } = scenario;
  if (mode === 'text') return { trace: await converse(scenario, make, minds), missing: unable };
  const hold = mode === 'phone' ? minds.phone : minds.call;
  if (unable.length > 0 || !hold) return { trace: NOTHING, missing: unable };
  const time = { ms: 0 };
  const { around, world } = surroundings(scenario, time);
  const begun = Date.now();
  // Time passes by itself.
  const now = () => new Date(around.now().getTime() - time.ms + Date.now() - begun);
  const { missing, ...trace } = await hold(scenario, { ...around, now }, minds.caller ?? null);
  return { trace: { ...trace, world }, missing };
}

/** The trace of a conversation that was not held. */
const NOTHING: Trace = { turns: [], end_reason: 'failed', error: null, world: {}, cost: '0', duration_ms: 0 };

/** The tools and the time of a scenario; each call of a tool takes time. Of the steps, keys may be taken by a tool. */
function surroundings(scenario: Scenario, time: { ms: number }, steps: Step[] = []) {
  const { world: initial = {}, tools = {}, clock = EPOCH, line } = scenario;
  const world = createWorld(initial, tools);
  const begun = Date.parse(clock);
  const around: Surroundings = {
    callTool: (name, args, timeoutMs): Answer => {
      const own = Object.hasOwn(tools, name) ? undefined : CALL_TOOLS[name];
      const answer = own === undefined ? world.call(name, args, timeoutMs) : { text: own, isError: false, ms: 0 };
      time.ms += answer.ms;
      return answer;
    },
    enter: (name, entry) => {
      if (Object.hasOwn(tools, name)) return null;
      const step = steps[0]?.dtmf === undefined ? undefined : steps.shift();
      const answer = entered(step?.dtmf ?? null, entry);
      time.ms += (step?.after_ms ?? 0) + answer.ms;
      return answer;
    },
    isOutbound: line?.answered_by !== undefined,
    now: () => new Date(begun + time.ms),
    timeZone: zoneOf(clock),
  };
  return { around, world: world.state };
}

async function converse(scenario: Scenario, make: MakeAgent, minds: Minds): Promise<Trace> {
  const { caller } = scenario;
  const time = { ms: 0 };
  const steps = [...(caller.script ?? [])];
  const { around, world } = surroundings(scenario, time, steps);
  const agent = make(around);
  const talk: Talk = { agent, time, turns: [] };
  const end = (end_reason: EndReason, error: string | null = null): Trace => {
    const { turns } = talk;
    const by = agent.byRules && { by_rules: agent.byRules };
    return { turns, end_reason, error, world, cost: agent.cost(), duration_ms: time.ms, ...by };
  };
  try {
    const opened = await agent.open();
    if (opened) note(talk, opened, null);
    if (caller.persona && minds.caller) return end(await playPersona(caller.persona, talk, minds.caller));
    return end(await playScript(steps, talk));
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

/** Plays the steps, of which a tool that the agent calls meanwhile may take some. */
async function playScript(steps: Step[], talk: Talk): Promise<EndReason> {
  for (let step = steps.shift(); step; step = steps.shift()) {
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
