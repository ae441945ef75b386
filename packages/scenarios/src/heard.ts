/** Whether the words of a caller have arrived at the agent. */

/** Wrong words of a hundred from which a caller counts as not heard: small recognizers mishear a third at times. */
export const MAX_WRONG_PERCENT = 50;

const NUMBERS = 'zero one two three four five six seven eight nine ten eleven twelve'.split(' ');
const segments = new Intl.Segmenter('und', { granularity: 'word' });

/** The words of a text in one spelling, also of languages without spaces: "10" is "ten", "10:30" is "ten 30". */
function wordsOf(text: string): string[] {
  const plain = text.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase();
  const words = [...segments.segment(plain)].filter(({ isWordLike }) => isWordLike);
  return words.flatMap(({ segment }) =>
    segment.split(/[.:']/).map((word) => (/^\d{1,2}$/.test(word) ? (NUMBERS[Number(word)] ?? word) : word)),
  );
}

/** Words of a hundred that were heard wrongly, missed or added: the word error rate, at most 100. */
export function wrongPercent(said: string, heard: string): number {
  const [words, others] = [wordsOf(said), wordsOf(heard)];
  if (words.length === 0) return 0;
  // Recognizers join words and split them: as long as the letters are right, nothing was misheard.
  if (words.join('') === others.join('')) return 0;
  let row = Array.from({ length: others.length + 1 }, (_, at) => at);
  for (const [at, word] of words.entries()) {
    const next = [at + 1];
    for (const [place, other] of others.entries()) {
      const replaced = (row[place] ?? 0) + (word === other ? 0 : 1);
      next.push(Math.min(replaced, (row[place + 1] ?? 0) + 1, (next[place] ?? 0) + 1));
    }
    row = next;
  }
  return Math.min(100, Math.round((100 * (row.at(-1) ?? 0)) / words.length));
}
