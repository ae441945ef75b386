import type { Read } from '@switchboard/scenarios/read';
import type { Scenario } from '@switchboard/scenarios/schema';
import type { Agents } from '../../conversations/agents/agents.ts';
import type { Session, Sessions } from '../../conversations/sessions/sessions.ts';
import type { Transcripts } from '../../conversations/transcripts/transcripts.ts';
import { createFairQueue } from '../../lib/fair-queue.ts';
import { isObject, type JsonObject } from '../../lib/json.ts';
import { headerVariables } from '../../lib/sip-headers.ts';
import { inSubprocess } from '../../lib/subprocess.ts';
import { type RecordedTurn, type TimedCall, turnsOf, withTimed } from './recorded-turns.ts';
import { MAX_TEXT } from './schema.ts';
import { type RecordedCall, standInsOf } from './stand-ins.ts';

/** Texts that one process writes at the same time, and those of one user that wait. */
const AT_ONCE = 1;
const MAX_WAITING = 16;
const LIMITS = { ms: 120_000, megabytes: 96 };
const MODULE = new URL('./draft-process.ts', import.meta.url);
/** Transcripts that are read, of both sides. */
const MAX_READ = 400;
/** Steps of a script, and characters of one: what the format allows, without the step that hangs up. */
const MAX_STEPS = 199;
const MAX_WORDS = 4_000;
/** Characters of all steps: the rest of the text is about as long. */
const MAX_SAID = MAX_TEXT / 2;
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
}

/** A conversation as it was, and the scenario that repeats it. */
export interface Recalled {
  session: Session;
  scenario: Scenario;
  turns: RecordedTurn[];
}

/** Drafts scenarios of what callers have said. */
export function createDrafting({ agents, sessions, transcripts, toolCalls }: Deps) {
  const inTurn = createFairQueue(AT_ONCE, MAX_WAITING);

  /** A conversation, and its scenario. Throws `not_found`. */
  async function recall(id: string, caller: string | null): Promise<Recalled> {
    const session = await sessions.get(id, caller);
    const { variables: given, sip } = await sessions.callData(session.id);
    const variables = { ...headerVariables(sip?.headers_in), ...given };
    const agent = await agents.ofSession(session);
    const said = (await transcripts.list(session.id, { limit: MAX_READ, after: null }, caller)).items;
    const { byMessage, byTime, isReal } = await toolCalls(session.id);
    const told = withTimed(
      said.map((one) => ({ ...one, calls: byMessage.get(one.id) ?? [] })),
      byTime,
    );
    const heard = told.filter(({ speaker }) => speaker === 'USER').map(({ content }) => content);
    const calls = isReal || byTime.length > 0 ? told.flatMap((one) => one.calls) : [];
    const scenario = scenarioOf(session, heard, { variables, config: agent?.config ?? {}, calls });
    // A session that is no call is a chat, whose calls of tools are all recorded. Those of a call may have none.
    const isWhole = session.call_status === null || byMessage.size + byTime.length > 0;
    const steps = (scenario.caller.script ?? []).filter(({ say }) => say !== undefined).length;
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
  calls: RecordedCall[];
}

/** The words of the caller as a script, and each function of the agent as a tool that answers as it did. */
function scenarioOf(session: Session, heard: string[], { variables, config, calls }: Known): Scenario {
  const { id, agent_id, agent_version, end_reason } = session;
  const steps = stepsOf(heard);
  // A caller who said nothing was transferred by somebody else than the agent: all that can be repeated is the hang-up.
  const isTransferred = end_reason === 'transferred' && steps.length > 0;
  const tools = functionsOf(config);
  return {
    scenario: `conversation ${id}`,
    ...(agent_id !== null && { agent: { id: agent_id, ...(agent_version !== null && { version: agent_version }) } }),
    clock: (session.started_at ?? session.created_at).toISOString(),
    ...(variables && Object.keys(variables).length > 0 && { variables }),
    caller: { script: [...steps, ...(isTransferred ? [] : [{ hang_up: true as const }])] },
    ...(tools.length > 0 && { tools: standInsOf(tools, calls, MAX_RESULTS) }),
    expect: [{ call: { end_reason: isTransferred ? 'transferred' : 'caller_hung_up' } }],
  };
}

/** As many steps as the format, and the limit on texts, allow. */
function stepsOf(heard: string[]): { say: string }[] {
  let length = 0;
  const words = heard.map((content) => content.trim().slice(0, MAX_WORDS)).filter((content) => content !== '');
  const end = words.findIndex((content, index) => {
    length += content.length;
    return length > MAX_SAID || index >= MAX_STEPS;
  });
  const kept = end === -1 ? words : words.slice(0, end);
  return kept.map((say) => ({ say }));
}

function functionsOf({ tools }: JsonObject): string[] {
  const functions = isObject(tools) && Array.isArray(tools.functions) ? tools.functions : [];
  return functions.flatMap((one) => (isObject(one) && typeof one.name === 'string' ? [one.name] : []));
}
