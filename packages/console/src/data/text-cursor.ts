/** The position in a changed text that corresponds to one in the text before. */
export function moveCursor(before: string, after: string, at: number): number {
  const shorter = Math.min(before.length, after.length);
  let start = 0;
  while (start < shorter && before[start] === after[start]) start++;
  if (at <= start) return at;
  let end = 0;
  while (end < shorter - start && before.at(-1 - end) === after.at(-1 - end)) end++;
  return at >= before.length - end ? after.length - (before.length - at) : Math.min(at, after.length - end);
}
