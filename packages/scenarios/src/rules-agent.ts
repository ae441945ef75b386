import { renderVariables } from '@switchboard/client/variables';
import { type Message, reply, type Tool } from '@switchboard/rules';
import { endOf, type Spoken, type Surroundings, type TestedAgent, type ToolCall } from './agent.ts';

/** Calls of tools in one turn, after which an agent is stuck. */
const MAX_CALLS = 8;

/** The parts of an agent's `config` that rules understand. */
export interface RulesConfig {
  instructions?: unknown;
  greeting?: unknown;
  tools?: unknown;
  silence?: unknown;
  voicemail?: unknown;
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
  const tools = toolsOf(config.tools);
  const timeouts = timeoutsOf(config.tools);
  const voicemail = config.voicemail as { action?: string; message?: string } | null | undefined;
  let isAnswered = !voicemail;

  async function answer(): Promise<Spoken> {
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
      const made: ToolCall = { ...call, ...around.callTool(call.name, call.arguments, timeouts.get(call.name)) };
      spoken.calls.push(made);
      spoken.ends = endOf(made);
      messages.push({ role: 'tool', content: made.text });
    }
    return spoken;
  }

  const say = (words: string, ends: Spoken['ends'] = null): Spoken => {
    if (words) messages.push({ role: 'assistant', content: words });
    return { words, calls: [], decisions: [], first_word_ms: words ? 0 : null, ends };
  };

  /** The first words tell who has answered the phone: a person is greeted, a machine is not talked to. */
  function answered(content: string): Spoken | null {
    isAnswered = true;
    const asked = [...messages, { role: 'user', content }];
    const label = think(asked, [{ name: 'save_prediction' }], { mustCall: true }).call?.arguments.label;
    messages.push({ role: 'user', content });
    const isMachine = label === 'machine-vm' || label === 'machine-unavailable';
    if (isMachine && voicemail?.action !== 'continue') {
      const isRecorded = voicemail?.action === 'leave_message' && label === 'machine-vm';
      return say(isRecorded ? text(voicemail.message) : '', 'agent_hung_up');
    }
    const greeting = text(config.greeting);
    return greeting ? say(greeting) : null;
  }

  const take = async (content: string) => {
    if (!isAnswered) return answered(content) ?? answer();
    messages.push({ role: 'user', content });
    prompts = 0;
    return answer();
  };

  const patience = silenceOf(config.silence);
  let prompts = 0;
  return {
    open: async () => {
      const words = text(config.greeting);
      return words && isAnswered ? say(words) : null;
    },
    hear: take,
    press: (keys) => take(`[pressed ${keys}]`),
    silence: patience && {
      ms: patience.timeoutMs,
      act: async () => (prompts++ < patience.maxPrompts ? say(text(patience.message)) : say('', 'agent_hung_up')),
    },
    cost: () => '0',
  };
}

/** When the worker prompts a silent caller, with its defaults. */
function silenceOf(given: unknown) {
  if (typeof given !== 'object' || given === null) return null;
  const { timeout_s = 10, message = 'Are you still there?', max_prompts = 2 } = given as Record<string, unknown>;
  return typeof timeout_s === 'number'
    ? { timeoutMs: timeout_s * 1000, message, maxPrompts: Number(max_prompts) }
    : null;
}

/** How long functions may take, in milliseconds. */
function timeoutsOf(given: unknown): Map<string, number> {
  const { functions } = (given ?? {}) as { functions?: { name: string; timeout_s?: number }[] | null };
  const limited = (functions ?? []).flatMap(({ name, timeout_s }): [string, number][] =>
    timeout_s === undefined ? [] : [[name, timeout_s * 1000]],
  );
  return new Map(limited);
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
    ...(functions ?? []),
  ];
}
