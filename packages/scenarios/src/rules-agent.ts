import { OPT_OUT_MESSAGE } from '@switchboard/client/consent';
import { renderVariables } from '@switchboard/client/variables';
import { type Message, reply, type Tool } from '@switchboard/rules';
import { endOf, type Spoken, type Surroundings, type TestedAgent, type ToolCall } from './agent.ts';
import { answeredBy, createCallFlow, type Flow } from './call-flow.ts';
import type { Entry } from './keys.ts';

/** Calls of tools in one turn, after which an agent is stuck. */
const MAX_CALLS = 8;

/** The parts of an agent's `config` that rules understand. */
export interface RulesConfig {
  instructions?: unknown;
  greeting?: unknown;
  tools?: unknown;
  silence?: unknown;
  voicemail?: unknown;
  compliance?: unknown;
}

/** Thinks for the agent: the rules, or in tests of scenarios something worse. */
export type Think = typeof reply;

type Variables = Readonly<Record<string, unknown>>;

/** An agent whose words are found by rules in its instructions: no language model, and always the same. */
export function createRulesAgent(
  config: RulesConfig,
  variables: Variables,
  around: Surroundings,
  think: Think = reply,
): TestedAgent {
  const text = (value: unknown) => (typeof value === 'string' ? renderVariables(value, variables).trim() : '');
  const messages: Message[] = [{ role: 'system', content: text(config.instructions) }];
  const compliance = complianceOf(config.compliance, text);
  const voicemail = voicemailOf(config.voicemail, text);
  const tools = toolsOf(config.tools);
  const timeouts = timeoutsOf(config.tools);
  const entries = entriesOf(config.tools);

  async function answer(heard: string): Promise<Spoken> {
    messages.push({ role: 'user', content: heard });
    const spoken: Spoken = { words: '', calls: [], decisions: [], first_word_ms: null, ends: null };
    while (spoken.calls.length < MAX_CALLS && spoken.ends === null) {
      const begun = performance.now();
      const { text: words, call } = think(messages, tools, { now: around.now(), timeZone: around.timeZone });
      const calls = call ? [call.name] : [];
      spoken.decisions.push({ model: 'rules', words, calls, ms: Math.round(performance.now() - begun) });
      if (words) {
        spoken.words = [spoken.words, words].filter(Boolean).join(' ');
        spoken.first_word_ms ??= spoken.calls.reduce((sum, { ms }) => sum + ms, 0);
        messages.push({ role: 'assistant', content: words });
      }
      if (!call) break;
      const entry = entries.get(call.name);
      const pressed = entry ? around.enter(call.name, entry) : null;
      const answered = pressed ?? around.callTool(call.name, call.arguments, timeouts.get(call.name));
      const made: ToolCall = { ...call, ...answered };
      spoken.calls.push(made);
      spoken.ends = endOf(made);
      messages.push({ role: 'tool', content: made.text });
    }
    return spoken;
  }

  const flow = createCallFlow(
    {
      greeting: text(config.greeting) || null,
      voicemail,
      silence: silenceOf(config.silence, text),
      compliance,
    },
    {
      remember: (role, content) => void messages.push({ role, content }),
      answer,
      answeredBy: async (content) => {
        const asked = [...messages, { role: 'user', content }];
        const { call } = think(asked, [{ name: 'save_prediction' }], { mustCall: true });
        return answeredBy(call?.arguments.label);
      },
    },
    around,
  );
  return { ...flow, byRules: true, cost: () => '0' };
}

function voicemailOf(given: unknown, text: (value: unknown) => string): Flow['voicemail'] {
  if (typeof given !== 'object' || given === null) return null;
  const { action = 'hang_up', message } = given as {
    action?: NonNullable<Flow['voicemail']>['action'];
    message?: unknown;
  };
  return { action, message: text(message) || null };
}

function complianceOf(given: unknown, text: (value: unknown) => string): Flow['compliance'] {
  const { disclosure, opt_out } = (given ?? {}) as {
    disclosure?: { text?: unknown } | null;
    opt_out?: { enabled?: unknown; confirm?: unknown } | null;
  };
  const confirm = text(opt_out?.confirm) || OPT_OUT_MESSAGE;
  return { disclosure: text(disclosure?.text) || null, optOut: opt_out?.enabled === true ? confirm : null };
}

/** When the worker prompts a silent caller, with its defaults. */
function silenceOf(given: unknown, text: (value: unknown) => string): Flow['silence'] {
  if (typeof given !== 'object' || given === null) return null;
  const { timeout_s = 10, message = 'Are you still there?', max_prompts = 2 } = given as Record<string, unknown>;
  if (typeof timeout_s !== 'number') return null;
  return { timeoutMs: timeout_s * 1000, message: text(message), maxPrompts: Number(max_prompts) };
}

/** How long functions may take, in milliseconds. */
function timeoutsOf(given: unknown): Map<string, number> {
  const { functions } = (given ?? {}) as { functions?: { name: string; timeout_s?: number }[] | null };
  const limited = (functions ?? []).flatMap(({ name, timeout_s }): [string, number][] =>
    timeout_s === undefined ? [] : [[name, timeout_s * 1000]],
  );
  return new Map(limited);
}

/** Tools that have the caller press keys, by their names. */
function entriesOf(given: unknown): Map<string, Entry & { description?: string }> {
  const { collect_digits } = (given ?? {}) as {
    collect_digits?: (Entry & Pick<Tool, 'name' | 'description'>)[] | null;
  };
  return new Map((collect_digits ?? []).map(({ name, ...entry }) => [`collect_${name}`, entry]));
}

/** Tools as a model sees them, from `config.tools`. */
function toolsOf(given: unknown): Tool[] {
  const { hang_up, dtmf, transfer, functions } = (given ?? {}) as {
    hang_up?: unknown;
    dtmf?: unknown;
    transfer?: { destinations?: { name: string }[] } | null;
    functions?: Tool[] | null;
  };
  const names = (transfer?.destinations ?? []).map(({ name }) => name);
  const destination = { type: 'string', enum: names };
  return [
    ...(hang_up === true ? [{ name: 'hang_up' }] : []),
    ...(dtmf === true ? [{ name: 'send_dtmf' }] : []),
    ...(names.length > 0 ? [{ name: 'transfer', parameters: { properties: { destination } } }] : []),
    ...[...entriesOf(given)].map(([name, { description = '' }]) => ({ name, description })),
    ...(functions ?? []),
  ];
}
