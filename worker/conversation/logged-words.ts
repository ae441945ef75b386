/** How the library names fields of its log that have what people say, and who they are. */
export const PERSONAL = 'lk.pii.';
/** Levels at which a log may have them: docs/privacy.md. */
const TELLING = ['debug', 'trace'];

/** Leaves them out of what a process logs: the library logs each answer of an agent, also at the level `info`. */
export function leaveOutWords(output: Output, level: string): void {
  if (!TELLING.includes(level)) changeLines(output, (line) => (line.includes(PERSONAL) ? without(line) : line));
}

type Output = Pick<NodeJS.WriteStream, 'write'>;

/** Changes each line that a process writes to its output. */
export function changeLines(output: Output, change: (line: string) => string): void {
  const write = output.write.bind(output) as (chunk: unknown, ...others: unknown[]) => boolean;
  output.write = (chunk: unknown, ...others: unknown[]) =>
    write(typeof chunk === 'string' ? chunk.split('\n').map(change).join('\n') : chunk, ...others);
}

/** A line of JSON without these fields; nothing of one that cannot be read, as it may have any. */
function without(line: string): string {
  try {
    const fields = Object.entries(JSON.parse(line) as object);
    return JSON.stringify(Object.fromEntries(fields.filter(([name]) => !name.startsWith(PERSONAL))));
  } catch {
    return '';
  }
}
