import { llm } from '@livekit/agents';

/** A tool call's options, as far as waiting for the sentence around it needs them. */
export interface InSpeech {
  ctx: { waitForPlayout(): Promise<void> };
  abortSignal?: AbortSignal | undefined;
}

/** The error of a tool that did nothing because the caller interrupted. */
export class Interrupted extends llm.ToolError {}

/** Waits until the agent has finished the sentence in which a tool was called. Throws `Interrupted` if it could not. */
export async function afterSpeech({ ctx, abortSignal }: InSpeech): Promise<void> {
  await ctx.waitForPlayout();
  if (abortSignal?.aborted) throw new Interrupted('Not done: the caller interrupted.');
}
