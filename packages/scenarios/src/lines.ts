import type { Trace } from './trace.ts';

/** A conversation as people read it, a line for each thing that happened. */
export function linesOf({ turns, end_reason }: Pick<Trace, 'turns' | 'end_reason'>): string[] {
  const lines = turns.flatMap(({ heard, interrupted, calls, words }) => [
    ...(heard === null ? [] : [`caller${interrupted ? ' (interrupts)' : ''}: ${heard}`]),
    ...calls.map(({ name, arguments: args, text }) => `tool: ${name}(${JSON.stringify(args)}) = ${text}`),
    ...(words ? [`agent: ${words}`] : []),
  ]);
  return [...lines, `end: ${end_reason}`];
}
