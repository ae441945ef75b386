const NUMBERS = 'zero one two three four five six seven eight nine ten eleven twelve'.split(' ');

/** The words of a sentence, in one spelling: "10" is "ten", "good-bye" is "goodbye". */
export function wordsOf(sentence: string): string[] {
  const plain = sentence
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/(?<=\b(?:to|good))-|[^a-z0-9' -]/g, '');
  return plain.split(/[ -]+/).flatMap((word) => NUMBERS[/^\d+$/.test(word) ? Number(word) : -1] ?? (word || []));
}

/** Words that were recognized wrongly, were added or are missing: the fewest edits between the two. */
export function errorsBetween(said: readonly string[], recognized: readonly string[]): number {
  let row = Array.from({ length: recognized.length + 1 }, (_, index) => index);
  for (const [index, word] of said.entries()) {
    const next = [index + 1];
    for (const [place, other] of recognized.entries()) {
      const replaced = (row[place] ?? 0) + (word === other ? 0 : 1);
      next.push(Math.min(replaced, (row[place + 1] ?? 0) + 1, (next[place] ?? 0) + 1));
    }
    row = next;
  }
  return row.at(-1) ?? 0;
}
