/** How the library names fields of its log that have what people say, and who they are. */
const PERSONAL = 'lk.pii.';
/** Levels at which a log may have them: docs/privacy.md. */
const TELLING = ['debug', 'trace'];

/** Leaves them out of what a process logs: the library logs each answer of an agent, also at the level `info`. */
export function leaveOutWords(output: Pick<NodeJS.WriteStream, 'write'>, level: string): void {
  if (TELLING.includes(level)) return;
  const write = output.write.bind(output) as (chunk: unknown, ...others: unknown[]) => boolean;
  output.write = (chunk: unknown, ...others: unknown[]) => write(isTelling(chunk) ? without(chunk) : chunk, ...others);
}

const isTelling = (chunk: unknown): chunk is string => typeof chunk === 'string' && chunk.includes(PERSONAL);

/** Lines of JSON without these fields. One that cannot be read is left out if it may have any. */
function without(lines: string): string {
  return lines
    .split('\n')
    .map((line) => (line.includes(PERSONAL) ? readable(line) : line))
    .join('\n');
}

function readable(line: string): string {
  try {
    const fields = Object.entries(JSON.parse(line) as object);
    return JSON.stringify(Object.fromEntries(fields.filter(([name]) => !name.startsWith(PERSONAL))));
  } catch {
    return '';
  }
}
