import { llm } from '@livekit/agents';

/** The call of a tool in a sentence. */
export interface Said {
  ctx: { waitForPlayout(): Promise<void> };
  abortSignal?: AbortSignal | undefined;
}

/** The error of a tool that has not done what it was asked to, because the caller interrupted. */
export class NotDone extends llm.ToolError {}

/** Waits until the agent has said the sentence in which a tool was called. Throws `NotDone` if it was interrupted. */
export async function untilSaid({ ctx, abortSignal }: Said): Promise<void> {
  await ctx.waitForPlayout();
  if (abortSignal?.aborted) throw new NotDone('The caller interrupted: it was not done.');
}
