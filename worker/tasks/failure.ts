import { APIError } from '@livekit/agents';

const MAX_ERROR = 500;

/** Consequences of an attempt without a result. */
export interface Outlook {
  /** Whether another attempt may succeed. */
  retryable: boolean;
  /** Said to whoever waits for the result. */
  detail?: string;
}

/** Ends an attempt at a task without a result; of other errors, `isRetryable` knows whether another may have one. */
export class Failure extends Error {
  readonly outlook: Outlook;

  constructor(cause: unknown, outlook: Outlook) {
    super(messageOf(cause), { cause });
    this.outlook = outlook;
  }
}

/** Whether another attempt may succeed. */
export function isRetryable(error: unknown): boolean {
  if (error instanceof Failure) return error.outlook.retryable;
  return !(error instanceof APIError) || error.retryable;
}

/**
 * Makes what an attempt needs, of the agent and the settings. Another worker, which is set up like this one, would not
 * fare better, and whoever waits is told why.
 */
export function setUp<T>(make: () => T): T {
  try {
    return make();
  } catch (error) {
    throw new Failure(error, { retryable: false, detail: messageOf(error) });
  }
}

/** The text of an error as the service takes it. */
export function messageOf(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  return text.replaceAll('\0', '').slice(0, MAX_ERROR).toWellFormed() || 'unknown';
}
