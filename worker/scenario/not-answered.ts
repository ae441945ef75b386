import { APIError } from '@livekit/agents';
import { NotHeld } from '@switchboard/scenarios/agent';

/** A model that did not answer: the conversation says nothing about the agent. */
export class NotAnswered extends NotHeld {
  /** Whether another attempt may succeed. */
  readonly isRetryable: boolean;

  constructor(cause: unknown) {
    super(cause instanceof Error ? cause.message : String(cause), { cause });
    this.isRetryable = !(cause instanceof APIError) || cause.retryable;
  }
}
