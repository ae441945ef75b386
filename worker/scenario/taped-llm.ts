/** A language model whose answers are recorded, or were. */
import { randomUUID } from 'node:crypto';
import { DEFAULT_API_CONNECT_OPTIONS, llm } from '@livekit/agents';
import type { RecordedAnswer, RecordedMessage, RecordedRequest } from '@switchboard/scenarios/cassette';
import type { Tape } from '@switchboard/scenarios/tape';
import type { ConversationConfig } from '../conversation/config.ts';
import { extra } from '../conversation/models/maker.ts';
import { createLanguageModel, type ModelSettings } from '../conversation/models.ts';
import { outputOf } from '../conversation/report.ts';

type Chat = Parameters<llm.LLM['chat']>[0];
type Models = ConversationConfig['llm'];
type Answering = Pick<RecordedAnswer, 'provider' | 'model' | 'first_word_ms' | 'ms'>;

/** Retries are those of the recorded model. */
const ONCE = { ...DEFAULT_API_CONNECT_OPTIONS, maxRetry: 0 };

/**
 * The language model of an agent, or of a judge, with a tape before it if there is one. Rules need none. Throws as
 * `createLanguageModel` does, except in a replay, which needs neither a key nor a network.
 */
export function createTapedModel(config: ConversationConfig, settings: ModelSettings, tape: Tape | null): llm.LLM {
  const make = () => createLanguageModel(config, settings, () => {});
  const isRules = config.llm.every(({ provider }) => provider === 'local');
  return tape && !isRules ? new TapedLlm(tape, config.llm, make) : make();
}

/** Stands before an agent's language models, and their fall-back. In a replay it never makes them. */
export class TapedLlm extends llm.LLM {
  readonly tape: Tape;
  readonly #models: Models;
  readonly #make: () => llm.LLM;
  #made: llm.LLM | null = null;
  /** The model that answers, and how long it took; in a replay as it was recorded. */
  answering: Answering;

  /** Throws as `make` does, unless it is a replay. */
  constructor(tape: Tape, models: Models, make: () => llm.LLM) {
    super();
    this.tape = tape;
    this.#models = models;
    this.#make = make;
    const [{ provider, model = '' }] = models;
    this.answering = { provider, model, first_word_ms: null, ms: 0 };
    if (tape.mode === 'record') this.inner();
  }

  inner(): llm.LLM {
    this.#made ??= this.#make();
    return this.#made;
  }

  override label(): string {
    return 'switchboard.TapedLlm';
  }

  override get provider(): string {
    return this.answering.provider;
  }

  override get model(): string {
    return this.answering.model;
  }

  request(chat: Chat, toolCtx: llm.ToolContext | undefined): RecordedRequest {
    return requestOf(chat, toolCtx, this.#models);
  }

  override chat(chat: Chat): llm.LLMStream {
    return new TapedStream(this, chat);
  }

  override async aclose(): Promise<void> {
    await this.#made?.aclose();
    await super.aclose();
  }
}

class TapedStream extends llm.LLMStream {
  readonly #taped: TapedLlm;
  readonly #chat: Chat;

  constructor(taped: TapedLlm, chat: Chat) {
    const { chatCtx, toolCtx } = chat;
    super(taped, { chatCtx, ...(toolCtx && { toolCtx }), connOptions: ONCE });
    this.#taped = taped;
    this.#chat = chat;
  }

  protected override async run(): Promise<void> {
    const { tape } = this.#taped;
    const request = this.#taped.request(this.#chat, this.toolCtx);
    if (tape.mode === 'replay') this.#replay(tape.answerTo(request));
    else tape.add(request, await this.#record());
  }

  #replay(answer: RecordedAnswer): void {
    const id = randomUUID();
    this.#taped.answering = answer;
    if (answer.words) this.queue.put({ id, delta: { role: 'assistant', content: answer.words } });
    for (const [at, { name, arguments: args }] of answer.calls.entries()) {
      const call = llm.FunctionCall.create({ callId: `call_${id}_${at}`, name, args });
      this.queue.put({ id, delta: { role: 'assistant', toolCalls: [call] } });
    }
    if (answer.usage) this.queue.put({ id, usage: usageOf(answer.usage) });
  }

  /** Asks the model, and passes on what it answers. */
  async #record(): Promise<RecordedAnswer> {
    const model = this.#taped.inner();
    const begun = performance.now();
    const answer: RecordedAnswer = { ...named(model), words: '', calls: [], usage: null, first_word_ms: null, ms: 0 };
    let failure: unknown;
    const onError = ({ error, recoverable }: { error: Error; recoverable: boolean }) => {
      if (!recoverable) failure = error;
    };
    model.on('error', onError);
    const stream = model.chat(this.#chat);
    const abort = () => stream.close();
    this.abortController.signal.addEventListener('abort', abort);
    try {
      for await (const chunk of stream) {
        answer.ms = Math.round(performance.now() - begun);
        note(answer, chunk);
        this.#taped.answering = { ...answer, ...named(model) };
        this.queue.put(chunk);
      }
      // The library reports an error once the stream has ended.
      await new Promise((resolve) => setImmediate(resolve));
    } finally {
      model.off('error', onError);
      this.abortController.signal.removeEventListener('abort', abort);
      stream.close();
    }
    if (failure !== undefined) throw failure;
    return { ...answer, ...named(model) };
  }
}

const named = ({ provider, model }: llm.LLM) => ({ provider, model });

/** Adds what a chunk says to an answer. */
function note(answer: RecordedAnswer, { delta, usage }: llm.ChatChunk): void {
  const { content = '', toolCalls = [] } = delta ?? {};
  answer.words += content;
  if (content.trim()) answer.first_word_ms ??= answer.ms;
  for (const { name, args } of toolCalls) answer.calls.push({ name, arguments: args });
  if (!usage) return;
  const { promptTokens, promptCachedTokens, cacheCreationTokens } = usage;
  answer.usage = {
    input_tokens: promptTokens,
    cached_tokens: promptCachedTokens,
    output_tokens: outputOf(usage),
    ...(cacheCreationTokens ? { cache_creation_tokens: cacheCreationTokens } : {}),
  };
}

function usageOf(used: NonNullable<RecordedAnswer['usage']>): llm.CompletionUsage {
  const { input_tokens, cached_tokens, output_tokens, cache_creation_tokens } = used;
  return {
    promptTokens: input_tokens,
    promptCachedTokens: cached_tokens,
    completionTokens: output_tokens,
    totalTokens: input_tokens + output_tokens,
    ...(cache_creation_tokens !== undefined && { cacheCreationTokens: cache_creation_tokens }),
  };
}

/** A request without what differs from machine to machine: ids of items and calls, times, addresses and keys. */
function requestOf(
  { chatCtx, toolChoice, parallelToolCalls }: Chat,
  toolCtx: llm.ToolContext | undefined,
  models: Models,
): RecordedRequest {
  return {
    models: models.map((section) => {
      const { provider, model, temperature, maxTokens } = section;
      const options = extra(section);
      return {
        provider,
        ...(model !== undefined && { model }),
        ...(temperature !== undefined && { temperature }),
        ...(maxTokens !== undefined && { max_tokens: maxTokens }),
        ...(Object.keys(options).length > 0 && { options }),
      };
    }),
    parameters: {
      ...(toolChoice !== undefined && toolChoice !== 'auto' && { tool_choice: toolChoice }),
      ...(parallelToolCalls !== undefined && { parallel_tool_calls: parallelToolCalls }),
    },
    tools: toolsOf(toolCtx),
    messages: messagesOf(chatCtx),
  };
}

function toolsOf(toolCtx: llm.ToolContext | undefined): RecordedRequest['tools'] {
  if (!toolCtx) return [];
  return llm.sortedToolEntries(toolCtx).map(([name, { description, parameters }]) => {
    return { name, description, parameters: llm.toJsonSchema(parameters, false) };
  });
}

/** Calls of tools are numbered in their order: their ids are random. */
function messagesOf({ items }: llm.ChatContext): RecordedMessage[] {
  const numbers = new Map<string, number>();
  let calls = 0;
  return wordsFirst(items).flatMap((item): RecordedMessage[] => {
    if (item.type === 'message') return [{ role: item.role, words: item.textContent ?? '' }];
    if (item.type === 'function_call') {
      numbers.set(item.callId, ++calls);
      return [{ call: calls, name: item.name, arguments: parsed(item.args) }];
    }
    if (item.type !== 'function_call_output') return [];
    const { callId, output: result, isError: is_error } = item;
    return [{ result_of: numbers.get(callId) ?? 0, result, ...(is_error && { is_error }) }];
  });
}

/**
 * The words of an answer before its calls of tools. The library sorts them by the millisecond, and has a call first if
 * both are of the same one.
 */
function wordsFirst(items: llm.ChatItem[]): llm.ChatItem[] {
  const ordered: llm.ChatItem[] = [];
  for (const item of items) {
    const isAnswer = item.type === 'message' && item.role === 'assistant';
    const at = isAnswer ? ordered.findLastIndex(({ type }) => type !== 'function_call') + 1 : ordered.length;
    ordered.splice(at, 0, item);
  }
  return ordered;
}

/** Arguments as JSON, or as text if they are none. */
function parsed(args: string): unknown {
  try {
    return JSON.parse(args || '{}');
  } catch {
    return args;
  }
}
