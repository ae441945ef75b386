import { SwitchboardError } from '@switchboard/client';

/** A mistake in a text. Lines and columns count from 1. */
export interface Mistake {
  line: number;
  column: number;
  message: string;
}

/** The mistakes of a text that the service has refused; empty for another error. */
export function mistakesOf(error: unknown): Mistake[] {
  if (!(error instanceof SwitchboardError)) return [];
  return error.problems.flatMap(({ msg, ctx }) => {
    const { line, column } = (ctx ?? {}) as Record<string, unknown>;
    return typeof line === 'number' && typeof column === 'number' ? [{ line, column, message: msg }] : [];
  });
}

/** The offset of a place in a text; that of the end of the line, if the line is shorter. */
export function offsetOf(text: string, { line, column }: Pick<Mistake, 'line' | 'column'>): number {
  const lines = text.split('\n');
  const before = lines.slice(0, line - 1).reduce((sum, one) => sum + one.length + 1, 0);
  return Math.min(before + Math.min(column - 1, lines[line - 1]?.length ?? 0), text.length);
}
