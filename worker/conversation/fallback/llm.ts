import { APIConnectionError, llm } from '@livekit/agents';
import { createOrder, nextWithin, once, type Policy } from './order.ts';

type Chat = Parameters<llm.LLM['chat']>[0];

interface Choice {
  delta?: { tool_calls?: readonly object[] };
}

const GO_ON =
  'Your last message was cut off by a technical fault while you were speaking. Continue it exactly where it stops. Do not repeat any of it, do not apologize, and do not mention this.';

/**
 * Language models of which the next one answers when one fails. An answer that breaks off is continued by the next
 * model. The library's own adapter repeats such an answer from its beginning, books tokens twice, and asks a failed
 * model for the same answer again in order to see whether it has recovered.
 */
export class FallbackLlm extends llm.LLM {
  readonly order: ReturnType<typeof createOrder<llm.LLM>>;
  readonly firstTokenMs: number;
  #answering: llm.LLM;

  constructor(models: readonly [llm.LLM, ...llm.LLM[]], policy: Policy) {
    super();
    this.order = createOrder(models, policy);
    this.firstTokenMs = policy.firstTokenMs;
    this.#answering = models[0];
    // Usage and latency are those of the model that did the work.
    for (const model of models) model.on('metrics_collected', (metrics) => this.emit('metrics_collected', metrics));
  }

  override label(): string {
    return 'switchboard.FallbackLlm';
  }

  /** The model that answered last. */
  override get model(): string {
    return this.#answering.model;
  }

  override get provider(): string {
    return this.#answering.provider;
  }

  answersWith(model: llm.LLM): void {
    this.#answering = model;
  }

  override chat(options: Chat): llm.LLMStream {
    return new FallbackStream(this, options);
  }
}

class FallbackStream extends llm.LLMStream {
  readonly #model: FallbackLlm;
  readonly #options: Chat;
  /** The answer as far as the caller hears it, up to a whole word. */
  #said = '';
  #hasCalled = false;

  constructor(model: FallbackLlm, options: Chat) {
    const { chatCtx, toolCtx } = options;
    super(model, { chatCtx, ...(toolCtx && { toolCtx }), connOptions: once(model.firstTokenMs) });
    this.#model = model;
    this.#options = options;
  }

  /** Measures nothing: each model measures its own part. The constructor of the library calls it. */
  protected override async monitorMetrics(): Promise<void> {
    for await (const chunk of this.queue) {
      if (this.abortController.signal.aborted) break;
      this.output.put(chunk);
    }
    this.output.close();
  }

  protected override async run(): Promise<void> {
    const { order, firstTokenMs } = this.#model;
    await order.each(async (model, attempt) => {
      const connOptions = once(firstTokenMs);
      const chatCtx = this.#context();
      const stream = order.begin(attempt, () => model.chat({ ...this.#options, chatCtx, connOptions }));
      showProgress(stream);
      const abort = () => stream.close();
      this.abortController.signal.addEventListener('abort', abort);
      try {
        await this.#forward(stream, model, attempt);
      } catch (error) {
        // A tool that was called is used: the model answers after it, and another one would call it again.
        if (!this.#hasCalled) throw error;
      } finally {
        this.abortController.signal.removeEventListener('abort', abort);
        stream.close();
      }
    });
  }

  /** The conversation, with the part of the answer that was already said. */
  #context(): llm.ChatContext {
    const { chatCtx } = this.#options;
    if (this.#said === '') return chatCtx;
    const continued = chatCtx.copy();
    continued.addMessage({ role: 'assistant', content: this.#said });
    continued.addMessage({ role: 'system', content: GO_ON });
    return continued;
  }

  async #forward(stream: llm.LLMStream, model: llm.LLM, attempt: { error?: unknown }): Promise<void> {
    const words = new Words(this.#said);
    let hasAnswered = false;
    const say = (id: string, content: string, delta?: llm.ChatChunk['delta']) => {
      this.#said += content;
      this.queue.put({ id, delta: { ...delta, role: 'assistant', content } });
    };
    for (;;) {
      const { value: chunk, done } = await nextWithin(stream, this.#model.firstTokenMs);
      if (this.abortController.signal.aborted) return;
      if (done) break;
      const { id, delta } = chunk;
      hasAnswered ||= llm.hasResponse(chunk);
      this.#hasCalled ||= (delta?.toolCalls?.length ?? 0) > 0;
      if (hasAnswered) this.#model.answersWith(model);
      const content = words.push(delta?.content ?? '');
      if (this.#hasCalled) say(id, content + words.rest(), delta);
      else if (content) say(id, content, delta);
      if (chunk.usage) this.queue.put({ id, usage: chunk.usage });
    }
    if (attempt.error !== undefined) throw attempt.error;
    if (!hasAnswered) throw new APIConnectionError({ message: 'the model answered nothing' });
    const rest = words.rest();
    if (rest) say('', rest);
  }
}

/**
 * Has a stream of OpenAI's protocol give an empty chunk for each piece of a tool call, which is progress: the library
 * (1.8.1) gives nothing before the call is whole.
 */
function showProgress(stream: llm.LLMStream): void {
  const inner = stream as unknown as { parseChoice?: (id: string, choice: Choice, filter: unknown) => unknown };
  const parse = inner.parseChoice?.bind(stream);
  if (!parse) return;
  inner.parseChoice = (id, choice, filter) =>
    parse(id, choice, filter) ?? (choice.delta?.tool_calls?.length ? { id, delta: { role: 'assistant' } } : undefined);
}

/** Text up to its last space or line break, or its last character of a script that is written without spaces. */
const WHOLE =
  /^.*[ \n\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/su;

/**
 * The words of a model that continues what another one has said: whole words only, because a word that is cut off
 * cannot be taken back, and without what was said if the model repeats it.
 */
class Words {
  #repeated: string;
  #held = '';

  constructor(said: string) {
    this.#repeated = said.trim();
  }

  push(text: string): string {
    this.#held += text;
    if (this.#repeated !== '') {
      const start = this.#held.trimStart();
      if (this.#repeated.startsWith(start) && start.length < this.#repeated.length) return '';
      this.#held = start.startsWith(this.#repeated) ? start.slice(this.#repeated.length).trimStart() : start;
      this.#repeated = '';
    }
    const end = WHOLE.exec(this.#held)?.[0].length ?? 0;
    const whole = this.#held.slice(0, end);
    this.#held = this.#held.slice(end);
    return whole;
  }

  rest(): string {
    const rest = this.#held;
    this.#held = '';
    return rest;
  }
}
