import type { Read } from '@switchboard/scenarios/read';
import type { Scenario, StandIn } from '@switchboard/scenarios/schema';
import type { Agents } from '../../conversations/agents/agents.ts';
import type { Session, Sessions } from '../../conversations/sessions/sessions.ts';
import type { Transcripts } from '../../conversations/transcripts/transcripts.ts';
import { createFairQueue } from '../../lib/fair-queue.ts';
import { isObject, type JsonObject } from '../../lib/json.ts';
import { headerVariables } from '../../lib/sip-headers.ts';
import { inSubprocess } from '../../lib/subprocess.ts';
import { type Ending, endingOf, linesUntil } from './endings.ts';
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
import { type RecordedCall, standInsOf, transferOf } from './stand-ins.ts';

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
    const spoken = said.map((one) => ({ ...one, calls: byMessage.get(one.id) ?? [] }));
    const lines = withTimed(withInterruptions(spoken, await interruptions(session.id)), byTime);
    const isKnown = isReal || byTime.length > 0;
    const scenario = scenarioOf(session, lines, { variables, config: agent?.config ?? {}, isKnown });
    // A session that is no call is a chat, whose calls of tools are all recorded. Those of a call may have none.
    const isWhole = session.call_status === null || byMessage.size + byTime.length > 0;
    const steps = (scenario.caller.script ?? []).filter(({ say, interrupt }) => say ?? interrupt).length;
    return { session, scenario, turns: turnsOf(lines, isWhole, steps) };
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

/** With tools that fail where they did, and otherwise answer nothing. */
function withoutResults({ tools = {}, ...scenario }: Scenario): Scenario {
  const without = ({ return: _, text: __, ...one }: StandIn): StandIn => one;
  const entries = Object.entries(tools).map(([name, one]): [string, StandIn | StandIn[]] => [
    name,
    Array.isArray(one) ? one.map(without) : without(one),
  ]);
  return { ...scenario, tools: Object.fromEntries(entries) };
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
function scenarioOf(session: Session, recorded: SaidAndCalled[], { variables, config, isKnown }: Known): Scenario {
  const { id, agent_id, agent_version } = session;
  const { functions, entries } = toolsOf(config);
  const lines = isKnown ? recorded : recorded.map((one) => ({ ...one, calls: [] }));
  const calls = lines.flatMap((one) => one.calls);
  const ending = endingOf(session, lines, takesRefusals(config));
  const secret = entries.filter((name) => isUntold(calls.filter((call) => call.name === name && !call.is_error)));
  const pressed = entries.filter((name) => !secret.includes(name));
  const steps = scriptOf(ending ? linesUntil(lines, ending) : lines, pressed);
  // A caller who said nothing was sent away by somebody else.
  const end = steps.length > 0 ? ending : null;
  const transfers = lines.slice(0, end ? end.at + 1 : lines.length).flatMap((one) => one.calls.filter(isTransfer));
  const tools = {
    ...transferOf(transfers, end?.transfer),
    ...standInsOf([...functions, ...secret], calls, MAX_RESULTS),
  };
  return {
    scenario: `conversation ${id}`,
    ...(agent_id !== null && { agent: { id: agent_id, ...(agent_version !== null && { version: agent_version }) } }),
    clock: (session.started_at ?? session.created_at).toISOString(),
    ...(variables && Object.keys(variables).length > 0 && { variables }),
    // The agent of an outbound call tells first what must be said.
    ...(session.call_direction === 'OUTBOUND' && { line: { answered_by: 'human' as const } }),
    caller: { script: [...steps, ...(end ? [] : [{ hang_up: true as const }])] },
    ...(Object.keys(tools).length > 0 && { tools }),
    expect: [{ call: callOf(end, transfers) }],
  };
}

/** Whether calls of a tool that takes keys do not tell which: these cannot be pressed again. */
function isUntold(calls: RecordedCall[]): boolean {
  const answered = calls.filter(({ result }) => result !== null);
  return calls.length > 0 && (answered.length === 0 || answered.some(({ result }) => keysOf(result) === null));
}

const isTransfer = ({ name }: RecordedCall) => name === 'transfer';

/** How the conversation ended, as far as that can be repeated. */
function callOf(end: Ending | null, transfers: RecordedCall[]) {
  return {
    end_reason: end?.end_reason ?? ('caller_hung_up' as const),
    ...(end?.opted_out && { opted_out: true }),
    ...(transfers.length > 0 && { transfers: end?.transfer ? 1 : 0 }),
  };
}

/** Whether the agent hangs up on those who want no more calls. */
function takesRefusals({ compliance }: JsonObject): boolean {
  const { opt_out } = isObject(compliance) ? compliance : {};
  return isObject(opt_out) && opt_out.enabled === true;
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
