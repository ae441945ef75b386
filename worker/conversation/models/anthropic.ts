import Anthropic from '@anthropic-ai/sdk';
import { APIConnectionError, APIStatusError, APITimeoutError, DEFAULT_API_CONNECT_OPTIONS, llm } from '@livekit/agents';

interface Options {
  model: string;
  apiKey: string;
  baseURL: string | undefined;
  /** The protocol requires a limit. */
  maxTokens: number;
  /** Other fields of a request, by their names in the protocol. */
  fields: Readonly<Record<string, unknown>>;
}

type Chat = Parameters<llm.LLM['chat']>[0];
type Turns = { role: string; parts: Part[] }[];
/** A part of a message as the library's format for Google has it, whose roles alternate as Anthropic's do. */
interface Part {
  text?: string;
  functionCall?: { id: string; name: string; args: unknown };
  functionResponse?: { id: string; response: { output?: string; error?: string } };
}

/** Anthropic's language models, by its own SDK: the library has no plugin for them in Node. */
export class AnthropicLlm extends llm.LLM {
  readonly options: Options;
  readonly client: Anthropic;

  constructor(options: Options) {
    super();
    this.options = options;
    const { apiKey, baseURL } = options;
    // The library repeats requests itself, and a list of models asks the next one. No token of the environment is sent.
    this.client = new Anthropic({ apiKey, authToken: null, maxRetries: 0, ...(baseURL && { baseURL }) });
  }

  override label(): string {
    return 'switchboard.AnthropicLlm';
  }

  override get model(): string {
    return this.options.model;
  }

  override get provider(): string {
    return new URL(this.client.baseURL).host;
  }

  override chat(chat: Chat): llm.LLMStream {
    return new AnthropicStream(this, chat);
  }
}

class AnthropicStream extends llm.LLMStream {
  readonly #model: AnthropicLlm;
  readonly #chat: Chat;

  constructor(model: AnthropicLlm, chat: Chat) {
    const { chatCtx, toolCtx, connOptions = DEFAULT_API_CONNECT_OPTIONS } = chat;
    super(model, { chatCtx, ...(toolCtx && { toolCtx }), connOptions });
    this.#model = model;
    this.#chat = chat;
  }

  protected override async run(): Promise<void> {
    const { signal } = this.abortController;
    let hasAnswered = false;
    try {
      const stream = await this.#model.client.messages.create(await this.#request(), {
        signal,
        timeout: this.connOptions.timeoutMs,
      });
      const answer = new Answer();
      for await (const event of stream) {
        const chunk = answer.chunkOf(event);
        if (!chunk || signal.aborted) continue;
        hasAnswered ||= llm.hasResponse(chunk);
        this.queue.put(chunk);
      }
      if (!answer.isWhole && !signal.aborted) throw new Error('the answer has no end');
    } catch (error) {
      if (!signal.aborted) throw translated(error, !hasAnswered);
    }
  }

  async #request(): Promise<Anthropic.MessageCreateParamsStreaming> {
    const { model, maxTokens, fields } = this.#model.options;
    const [turns, { systemMessages }] = (await this.chatCtx.toProviderFormat('google')) as [
      Turns,
      { systemMessages: string[] | null },
    ];
    const tools = this.#tools();
    // Instructions and tools are the same in each request of a call, and cheaper from the cache.
    const system = systemMessages?.join('\n');
    return {
      ...fields,
      model,
      max_tokens: maxTokens,
      ...(system && { system: [{ type: 'text', text: system, cache_control: { type: 'ephemeral' } }] }),
      messages: turns.map(({ role, parts }) => ({
        role: role === 'model' ? 'assistant' : 'user',
        content: parts.flatMap(blockOf),
      })),
      ...(tools.length > 0 && { tools, ...choiceOf(this.#chat) }),
      stream: true,
    };
  }

  #tools(): Anthropic.Tool[] {
    if (!this.toolCtx) return [];
    return llm.sortedToolEntries(this.toolCtx).map(([name, tool]) => {
      const { $schema: _, ...input_schema } = llm.toJsonSchema(tool.parameters, false);
      return { name, description: tool.description, input_schema: { ...input_schema, type: 'object' } };
    });
  }
}

function blockOf({ text, functionCall, functionResponse }: Part): Anthropic.ContentBlockParam[] {
  if (functionCall) {
    const { id, name, args } = functionCall;
    return [{ type: 'tool_use', id, name, input: args as Record<string, unknown> }];
  }
  if (functionResponse) {
    const { output, error } = functionResponse.response;
    const content = error ?? output ?? '';
    return [{ type: 'tool_result', tool_use_id: functionResponse.id, content, is_error: error !== undefined }];
  }
  return text ? [{ type: 'text', text }] : [];
}

function choiceOf({ toolChoice, parallelToolCalls }: Chat): { tool_choice?: Anthropic.ToolChoice } {
  const disable_parallel_tool_use = parallelToolCalls === false;
  if (toolChoice === 'none') return { tool_choice: { type: 'none' } };
  if (toolChoice === 'required') return { tool_choice: { type: 'any', disable_parallel_tool_use } };
  if (typeof toolChoice === 'object')
    return { tool_choice: { type: 'tool', name: toolChoice.function.name, disable_parallel_tool_use } };
  return disable_parallel_tool_use ? { tool_choice: { type: 'auto', disable_parallel_tool_use } } : {};
}

/** Reads the events of an answer: words as they come, each tool call when it is complete, tokens at the end. */
class Answer {
  isWhole = false;
  #id = '';
  #call: { id: string; name: string; args: string } | null = null;
  #usage: Anthropic.Usage | null = null;

  chunkOf(event: Anthropic.MessageStreamEvent): llm.ChatChunk | null {
    switch (event.type) {
      case 'message_start':
        this.#id = event.message.id;
        this.#usage = event.message.usage;
        return null;
      case 'content_block_start':
        this.#begin(event.content_block);
        return null;
      case 'content_block_delta':
        return this.#words(event.delta);
      case 'content_block_stop':
        return this.#called();
      case 'message_delta':
        return this.#tokens(event.usage.output_tokens);
      case 'message_stop':
        this.isWhole = true;
        return null;
    }
  }

  #begin(block: Anthropic.ContentBlock): void {
    if (block.type === 'tool_use') this.#call = { id: block.id, name: block.name, args: '' };
  }

  #words(delta: Anthropic.RawContentBlockDelta): llm.ChatChunk | null {
    if (delta.type === 'text_delta') return { id: this.#id, delta: { role: 'assistant', content: delta.text } };
    if (delta.type !== 'input_json_delta' || !this.#call) return null;
    this.#call.args += delta.partial_json;
    // Says nothing, but shows a list of models that the call of a tool is under way.
    return { id: this.#id, delta: { role: 'assistant' } };
  }

  #called(): llm.ChatChunk | null {
    if (!this.#call) return null;
    const { id: callId, name, args } = this.#call;
    this.#call = null;
    const toolCalls = [llm.FunctionCall.create({ callId, name, args: args || '{}' })];
    return { id: this.#id, delta: { role: 'assistant', toolCalls } };
  }

  /** Tokens that are read from the cache or written into it are not in the input tokens. */
  #tokens(completionTokens: number): llm.ChatChunk {
    const promptCachedTokens = this.#usage?.cache_read_input_tokens ?? 0;
    const cacheCreationTokens = this.#usage?.cache_creation_input_tokens ?? 0;
    const promptTokens = (this.#usage?.input_tokens ?? 0) + promptCachedTokens + cacheCreationTokens;
    const totalTokens = promptTokens + completionTokens;
    return {
      id: this.#id,
      usage: { promptTokens, completionTokens, totalTokens, promptCachedTokens, cacheCreationTokens },
    };
  }
}

/** An error of the library, which decides by it whether to repeat the request. */
function translated(error: unknown, retryable: boolean): Error {
  if (error instanceof Anthropic.APIConnectionTimeoutError) return new APITimeoutError({ options: { retryable } });
  if (error instanceof Anthropic.APIError && typeof error.status === 'number') {
    const { status: statusCode, message, requestID } = error;
    const isPassing = statusCode === 429 || statusCode >= 500;
    const options = { statusCode, requestId: requestID ?? null, retryable: retryable && isPassing };
    return new APIStatusError({ message, options });
  }
  const message = error instanceof Error ? error.message : String(error);
  return new APIConnectionError({ message, options: { retryable } });
}
