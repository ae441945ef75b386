import type { Logger } from './log.ts';

/**
 * Logs failures of recurring work (`what`, the subject of the message): the first one of a task, and again when its
 * failure changes or it succeeds. A failure that repeats with every round would otherwise fill the log.
 */
export function createFailureLog(log: Logger, what: string) {
  /** The last failure by task. */
  const failing = new Map<string, string>();
  const about = (task: string) => (task === '' ? {} : { task });
  return {
    failed(err: unknown, task = ''): void {
      const why = failureText(err);
      if (failing.get(task) !== why)
        log.error({ err, ...about(task) }, `${what} failed; it will be retried, and logged when the failure changes`);
      failing.set(task, why);
    },
    succeeded(task = ''): void {
      if (failing.delete(task)) log.info(about(task), `${what} succeeds again`);
    },
  };
}

/** Throws the failures of one round: the only one as it is, several as one error. Does nothing without a failure. */
export function throwAll(failures: unknown[]): void {
  if (failures.length === 1) throw failures[0];
  if (failures.length > 1)
    throw new AggregateError(failures, [...new Set(failures.map(failureText))].sort().join('; '));
}

/** The parts of an error that repeat with it; those of providers have codes beside their message. */
function failureText(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { name, message, code, operation, provider_code, cause } = error as Error & Record<string, unknown>;
  const parts = [name, message, code, operation, provider_code, cause === undefined ? undefined : failureText(cause)];
  return parts.filter((part) => part !== undefined).join(' ');
}
