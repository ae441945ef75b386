import type { Read } from '@switchboard/scenarios/read';
import type { Scenario } from '@switchboard/scenarios/schema';
import type { Agents } from '../../conversations/agents/agents.ts';
import type { Session, Sessions } from '../../conversations/sessions/sessions.ts';
import type { Transcripts } from '../../conversations/transcripts/transcripts.ts';
import { createFairQueue } from '../../lib/fair-queue.ts';
import { isObject, type JsonObject } from '../../lib/json.ts';
import { headerVariables } from '../../lib/sip-headers.ts';
import { inSubprocess } from '../../lib/subprocess.ts';
import {
  type Interruption,
  type RecordedTurn,
  type SaidAndCalled,
  type TimedCall,
  turnsOf,
  withInterruptions,
  withTimed,
} from './recorded-turns.ts';
import { MAX_TEXT } from './schema.ts';
import { keysOf, scriptOf } from './script.ts';
import { type Called, isMissed, type RecordedCall, standInsOf, transferOf } from './stand-ins.ts';

/** Texts that one process writes at the same time, and those of one user that wait. */
const AT_ONCE = 1;
const MAX_WAITING = 16;
const LIMITS = { ms: 120_000, megabytes: 96 };
const MODULE = new URL('./draft-process.ts', import.meta.url);
/** Transcripts that are read, of both sides. */
const MAX_READ = 400;
/** Characters of all results of tools: as YAML they may be twice as long. */
const MAX_RESULTS = MAX_TEXT / 8;

export type Drafting = ReturnType<typeof createDrafting>;

interface Deps {
  agents: Agents;
  sessions: Sessions;
  transcripts: Transcripts;
  /**
   * The calls of tools of a chat by the message for which they were made, and whether the functions really answered;
   * those of a call by their times.
   */
  toolCalls: (
    session_id: string,
  ) => Promise<{ byMessage: Map<string, RecordedCall[]>; byTime: TimedCall[]; isReal: boolean }>;
  /** The words of a call with which the caller interrupted. */
  interruptions: (session_id: string) => Promise<Interruption[]>;
}

/** A conversation as it was, and the scenario that repeats it. */
export interface Recalled {
  session: Session;
  scenario: Scenario;
  turns: RecordedTurn[];
}

/** Drafts scenarios of what callers have said. */
export function createDrafting({ agents, sessions, transcripts, toolCalls, interruptions }: Deps) {
  const inTurn = createFairQueue(AT_ONCE, MAX_WAITING);

  /** A conversation, and its scenario. Throws `not_found`. */
  async function recall(id: string, caller: string | null): Promise<Recalled> {
    const session = await sessions.get(id, caller);
    const { variables: given, sip } = await sessions.callData(session.id);
    const variables = { ...headerVariables(sip?.headers_in), ...given };
    const agent = await agents.ofSession(session);
    const said = (await transcripts.list(session.id, { limit: MAX_READ, after: null }, caller)).items;
    const { byMessage, byTime, isReal } = await toolCalls(session.id);
    const lines = said.map((one) => ({ ...one, calls: byMessage.get(one.id) ?? [] }));
    const told = withTimed(withInterruptions(lines, await interruptions(session.id)), byTime);
    const isKnown = isReal || byTime.length > 0;
    const scenario = scenarioOf(session, told, { variables, config: agent?.config ?? {}, isKnown });
    // A session that is no call is a chat, whose calls of tools are all recorded. Those of a call may have none.
    const isWhole = session.call_status === null || byMessage.size + byTime.length > 0;
    const steps = (scenario.caller.script ?? []).filter(({ say, interrupt }) => say ?? interrupt).length;
    return { session, scenario, turns: turnsOf(told, isWhole, steps) };
  }

  /** A scenario of a conversation, as text. It is not kept. Throws `not_found`. */
  async function draft(id: string, caller: string | null): Promise<{ name: string; text: string }> {
    const { session, scenario } = await recall(id, caller);
    const write = (one: Scenario) =>
      inTurn(session.user_id, () => inSubprocess<Written>(MODULE, { scenario: one }, LIMITS));
    let written = await write(scenario);
    // Results of many small values are several times as long as YAML.
    if (written.problems.length > 0) written = await write(withoutResults(scenario));
    if (written.problems.length > 0) throw new Error(`a drafted scenario is wrong: ${written.problems[0]?.message}`);
    return { name: scenario.scenario, text: written.text };
  }

  return { draft, recall };
}

/** With tools that answer nothing. */
function withoutResults({ tools = {}, ...scenario }: Scenario): Scenario {
  return { ...scenario, tools: Object.fromEntries(Object.keys(tools).map((name) => [name, {}])) };
}

interface Written extends Pick<Read, 'problems'> {
  text: string;
}

interface Known {
  variables: Scenario['variables'] | null;
  config: JsonObject;
  /** Whether calls of tools tell what functions have answered. */
  isKnown: boolean;
}

/** The steps of the caller as a script, and each function of the agent as a tool that answers as it did. */
function scenarioOf(session: Session, told: SaidAndCalled[], { variables, config, isKnown }: Known): Scenario {
  const { id, agent_id, agent_version } = session;
  const { functions, entries } = toolsOf(config);
  const calls = isKnown ? calledIn(told) : [];
  const steps = scriptOf(isKnown ? told : told.map((one) => ({ ...one, calls: [] })), entries);
  // Keys that are not told cannot be pressed again.
  const untold = calls.filter((call) => entries.includes(call.name) && !call.is_error && keysOf(call.result) === null);
  const names = [...functions, ...new Set(untold.map(({ name }) => name))];
  const tools = { ...transferOf(calls), ...standInsOf(names, calls, MAX_RESULTS) };
  const { hangsUp, ...call } = endOf(session, steps.length > 0, calls);
  return {
    scenario: `conversation ${id}`,
    ...(agent_id !== null && { agent: { id: agent_id, ...(agent_version !== null && { version: agent_version }) } }),
    clock: (session.started_at ?? session.created_at).toISOString(),
    ...(variables && Object.keys(variables).length > 0 && { variables }),
    caller: { script: [...steps, ...(hangsUp ? [{ hang_up: true as const }] : [])] },
    ...(Object.keys(tools).length > 0 && { tools }),
    expect: [{ call }],
  };
}

/** The calls of tools, in their order. */
function calledIn(told: readonly SaidAndCalled[]): Called[] {
  const last = told.findLastIndex(({ speaker, content }) => speaker === 'USER' && content.trim() !== '');
  return told.flatMap(({ calls }, at) => calls.map((call) => ({ ...call, goesOn: at < last })));
}

/** How the conversation ended, as far as that can be repeated, and whether it was the caller who hung up. */
function endOf({ end_reason }: Session, hasSteps: boolean, calls: readonly Called[]) {
  const made = calls.filter(({ name }) => name === 'transfer');
  const transfers = made.filter((call) => !isMissed(call)).length;
  const counted = made.length > 0 ? { transfers } : {};
  // A caller who said nothing, or whom the agent has not transferred, was transferred by somebody else.
  const isTransferred = end_reason === 'transferred' && hasSteps && (calls.length === 0 || transfers > 0);
  if (isTransferred) return { hangsUp: false, end_reason: 'transferred' as const, ...counted };
  const isLeft = hasSteps && calls.some(({ name, is_error, goesOn }) => name === 'hang_up' && !is_error && !goesOn);
  if (isLeft) return { hangsUp: false, end_reason: 'agent_hung_up' as const, ...counted };
  return { hangsUp: true, end_reason: 'caller_hung_up' as const, ...counted };
}

/** The names of an agent's functions, and of its tools that take keys. */
function toolsOf({ tools }: JsonObject): { functions: string[]; entries: string[] } {
  const named = (list: unknown) =>
    (Array.isArray(list) ? list : []).flatMap((one) =>
      isObject(one) && typeof one.name === 'string' ? [one.name] : [],
    );
  const { functions, collect_digits } = isObject(tools) ? tools : {};
  return { functions: named(functions), entries: named(collect_digits).map((name) => `collect_${name}`) };
}
