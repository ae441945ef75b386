const HEADING = /^(#{1,6})\s/;

/** Lines that a heading folds, itself included, counted from 0; null for other lines and without anything below. */
export function foldOf(text: string, line: number): { first: number; last: number } | null {
  const lines = text.split('\n');
  const depth = depthOf(lines[line]);
  if (depth === 0) return null;
  let next = line + 1;
  while (next < lines.length && !(depthOf(lines[next]) > 0 && depthOf(lines[next]) <= depth)) next++;
  let last = next - 1;
  while (last > line && lines[last]?.trim() === '') last--;
  return last > line ? { first: line, last } : null;
}

const depthOf = (line = '') => HEADING.exec(line)?.[1]?.length ?? 0;

/** The number of words in a text; a variable is one. */
export const countWords = (text: string) =>
  text.match(/\{\{[^{}]*\}\}|[\p{L}\p{N}]+(?:[’'.-][\p{L}\p{N}]+)*/gu)?.length ?? 0;

/** Whether a text has headings, which can be folded. */
export const hasHeadings = (text: string) => /^#{1,6}\s/m.test(text);
