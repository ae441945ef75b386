/** The command line is wrong; the message says how to correct it. */
export class UsageError extends Error {}

/**
 * Runs a command; a failure ends the process with code 1. `explain` words the errors that have a remedy, and is
 * undefined for others. The usage is printed below the message if the command line is wrong.
 */
export function runCommand(
  usage: string,
  run: () => Promise<void>,
  explain: (error: Error) => string | undefined,
): void {
  run().catch((error: Error) => {
    const isParseError = 'code' in error && String(error.code).startsWith('ERR_PARSE_ARGS');
    const isMisused = error instanceof UsageError || isParseError;
    console.error(isMisused ? `${error.message}\n\n${usage}` : (explain(error) ?? error.message));
    process.exitCode = 1;
  });
}
