import { NotHeld } from '@switchboard/scenarios/agent';
import { isRetryable } from '../tasks/failure.ts';

/** A model that did not answer: the conversation says nothing about the agent. */
export class NotAnswered extends NotHeld {
  /** Whether another attempt may succeed. */
  readonly isRetryable: boolean;

  constructor(cause: unknown) {
    super(cause instanceof Error ? cause.message : String(cause), { cause });
    this.isRetryable = isRetryable(cause);
  }
}
