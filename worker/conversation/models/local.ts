import { randomUUID } from 'node:crypto';
import { DEFAULT_API_CONNECT_OPTIONS, llm } from '@livekit/agents';
import { type Message, type Reply, reply, type Tool, textOf, tokensOf } from '@switchboard/rules';
import type { Clock } from './maker.ts';

type Chat = Parameters<llm.LLM['chat']>[0];

/** The rules that answer from the instructions, as a language model that needs neither a key nor a network. */
export class LocalLlm extends llm.LLM {
  readonly clock: Clock | undefined;

  constructor(clock?: Clock) {
    super();
    this.clock = clock;
  }

  override label(): string {
    return 'switchboard.LocalLlm';
  }

  override get model(): string {
    return 'rules';
  }

  override get provider(): string {
    return 'local';
  }

  override chat(chat: Chat): llm.LLMStream {
    return new LocalStream(this, chat);
  }
}

class LocalStream extends llm.LLMStream {
  readonly #choice: Chat['toolChoice'];
  readonly #clock: Clock | undefined;

  constructor(model: LocalLlm, { chatCtx, toolCtx, toolChoice, connOptions = DEFAULT_API_CONNECT_OPTIONS }: Chat) {
    super(model, { chatCtx, ...(toolCtx && { toolCtx }), connOptions });
    this.#choice = toolChoice;
    this.#clock = model.clock;
  }

  protected override async run(): Promise<void> {
    const messages = (await this.chatCtx.toProviderFormat('openai')) as Message[];
    const tools = this.#choice === 'none' ? [] : this.#tools();
    const clock = this.#clock && { now: this.#clock.now(), timeZone: this.#clock.timeZone };
    const { text, call } = reply(messages, tools, { ...clock, mustCall: this.#choice === 'required' });
    const id = randomUUID();
    for (const content of text.match(/\s*\S+/g) ?? []) this.queue.put({ id, delta: { role: 'assistant', content } });
    if (call) {
      const { name, arguments: args } = call;
      const made = llm.FunctionCall.create({ callId: `call_${id}`, name, args: JSON.stringify(args) });
      this.queue.put({ id, delta: { role: 'assistant', toolCalls: [made] } });
    }
    this.queue.put({ id, usage: usageOf(messages, { text, call }) });
  }

  #tools(): Tool[] {
    if (!this.toolCtx) return [];
    return llm.sortedToolEntries(this.toolCtx).map(([name, { description, parameters }]) => {
      return { name, description, parameters: llm.toJsonSchema(parameters, false) as NonNullable<Tool['parameters']> };
    });
  }
}

function usageOf(messages: readonly Message[], { text, call }: Reply): llm.CompletionUsage {
  const promptTokens = messages.reduce((sum, message) => sum + tokensOf(textOf(message)), 0);
  const completionTokens = tokensOf(text) + (call ? 1 + Object.keys(call.arguments).length : 0);
  return { promptTokens, completionTokens, totalTokens: promptTokens + completionTokens, promptCachedTokens: 0 };
}
