import { renderVariables } from '@switchboard/client/variables';
import { type Message, reply, type Tool } from '@switchboard/rules';
import type { Spoken, Surroundings, TestedAgent, ToolCall } from './agent.ts';

/** Calls of tools in one turn, after which an agent is stuck. */
const MAX_CALLS = 8;

/** The parts of an agent's `config` that rules understand. */
export interface RulesConfig {
  instructions?: unknown;
  greeting?: unknown;
  tools?: unknown;
}

type Variables = Readonly<Record<string, unknown>>;

/** An agent whose words are found by rules in its instructions: no language model, and always the same. */
export function createRulesAgent(config: RulesConfig, variables: Variables, around: Surroundings): TestedAgent {
  const text = (value: unknown) => (typeof value === 'string' ? renderVariables(value, variables).trim() : '');
  const messages: Message[] = [{ role: 'system', content: text(config.instructions) }];
  const tools = toolsOf(config.tools);

  async function answer(): Promise<Spoken> {
    const spoken: Spoken = { words: '', calls: [], first_word_ms: null, ends: null };
    while (spoken.calls.length < MAX_CALLS && spoken.ends === null) {
      const { text: words, call } = reply(messages, tools, { now: around.now(), timeZone: around.timeZone });
      if (words) {
        spoken.words = [spoken.words, words].filter(Boolean).join(' ');
        spoken.first_word_ms ??= spoken.calls.reduce((sum, { ms }) => sum + ms, 0);
        messages.push({ role: 'assistant', content: words });
      }
      if (!call) break;
      const made: ToolCall = { ...call, ...around.callTool(call.name, call.arguments) };
      spoken.calls.push(made);
      spoken.ends = endOf(made);
      messages.push({ role: 'tool', content: made.text });
    }
    return spoken;
  }

  const take = (content: string) => {
    messages.push({ role: 'user', content });
    return answer();
  };
  return {
    open: async () => {
      const words = text(config.greeting);
      if (!words) return null;
      messages.push({ role: 'assistant', content: words });
      return { words, calls: [], first_word_ms: 0, ends: null };
    },
    hear: take,
    press: (keys) => take(`[pressed ${keys}]`),
    cost: () => '0',
  };
}

function endOf({ name, isError }: ToolCall): Spoken['ends'] {
  if (isError) return null;
  if (name === 'hang_up') return 'agent_hung_up';
  return name === 'transfer' ? 'transferred' : null;
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
