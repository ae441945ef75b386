import { type ReadableStream, TransformStream } from 'node:stream/web';
import { type llm, voice } from '@livekit/agents';

/** Takes the parts of a model's responses, in the order in which it makes them. */
export interface Seen {
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
    return watchResponse(this.#seen, settings, () => super.llmNode(chatCtx, toolCtx, settings));
  }
}

/** A response of the model that is seen as it is made. */
export async function watchResponse<T>(
  { onBegin, onText, onCall, onEnd }: Seen,
  { toolChoice }: Pick<voice.ModelSettings, 'toolChoice'>,
  respond: () => Promise<ReadableStream<T> | null>,
): Promise<ReadableStream<T> | null> {
  onBegin?.();
  const stream = await respond();
  if (!stream) return null;
  // The session ignores calls that it has not allowed.
  const mayCall = toolChoice !== 'none';
  return stream.pipeThrough(
    new TransformStream<T, T>({
      transform: (chunk, controller) => {
        const { delta } = chunk as llm.ChatChunk;
        if (delta?.content) onText(delta.content);
        if (mayCall) for (const call of delta?.toolCalls ?? []) onCall(call);
        controller.enqueue(chunk);
      },
      flush: onEnd,
    }),
  );
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
