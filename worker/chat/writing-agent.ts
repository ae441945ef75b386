import { type ReadableStream, TransformStream } from 'node:stream/web';
import { type llm, voice } from '@livekit/agents';

interface Seen {
  /** Before each response of the model. */
  onBegin?: () => void;
  onText: (text: string) => void;
  onCall: (call: llm.FunctionCall) => void;
  /** After each response of the model. */
  onEnd: () => void;
}

/** An agent whose words and calls are seen in the order in which its model makes them. */
export class WritingAgent extends voice.Agent {
  readonly #seen: Seen;

  constructor(options: ConstructorParameters<typeof voice.Agent>[0], seen: Seen) {
    super(options);
    this.#seen = seen;
  }

  override async llmNode(chatCtx: llm.ChatContext, toolCtx: llm.ToolContext, settings: voice.ModelSettings) {
    this.#seen.onBegin?.();
    const stream = await super.llmNode(chatCtx, toolCtx, settings);
    return stream && this.#watched(stream, settings.toolChoice !== 'none');
  }

  #watched<T>(stream: ReadableStream<T>, mayCall: boolean): ReadableStream<T> {
    const { onText, onCall, onEnd } = this.#seen;
    return stream.pipeThrough(
      new TransformStream<T, T>({
        transform: (chunk, controller) => {
          const { delta } = chunk as llm.ChatChunk;
          if (delta?.content) onText(delta.content);
          // The session ignores calls that it has not allowed.
          if (mayCall) for (const call of delta?.toolCalls ?? []) onCall(call);
          controller.enqueue(chunk);
        },
        flush: onEnd,
      }),
    );
  }
}

/** The arguments for display; the tool itself reports those that are no JSON. */
export function argumentsOf({ args }: Pick<llm.FunctionCall, 'args'>): Record<string, unknown> {
  try {
    const parsed: unknown = JSON.parse(stored(args || '{}').replaceAll('\\u0000', ''));
    return typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed) ? { ...parsed } : {};
  } catch {
    return {};
  }
}

/** PostgreSQL can store neither NUL nor half a surrogate pair. */
export function stored(text: string): string {
  return text.replaceAll('\0', '').toWellFormed();
}
