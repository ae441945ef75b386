/** Whether the words of a caller have arrived at the agent. */

/** Wrong words of a hundred from which a caller counts as not heard: small recognizers mishear a third at times. */
export const MAX_WRONG_PERCENT = 50;

const NUMBERS =
  'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen'.split(
    ' ',
  );
const TENS = 'twenty thirty forty fifty sixty seventy eighty ninety'.split(' ');
/** Short answers in other spellings. */
const SAME: Record<string, string> = { ok: 'okay', yeah: 'yes', yep: 'yes', nope: 'no', half: 'thirty' };
const segments = new Intl.Segmenter('und', { granularity: 'word' });

/**
 * The words of a text in one spelling, also of languages without spaces: "10:30" is "ten thirty", "555" is "five five
 * five", as recognizers write numbers in figures or not.
 */
function wordsOf(text: string): string[] {
  const plain = text.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase();
  const words = [...segments.segment(plain)].filter(({ isWordLike }) => isWordLike);
  return words.flatMap(({ segment }) => segment.split(/[.:,'’]/).flatMap((word) => spoken(word)));
}

function spoken(word: string): string[] {
  if (!/^\d+$/.test(word)) return [SAME[word] ?? word];
  const value = Number(word);
  if (word.length > 2 || word.startsWith('0')) return [...word].map((digit) => NUMBERS[Number(digit)] ?? digit);
  if (value < 20) return [NUMBERS[value] ?? word];
  const [ten, one] = [TENS[Math.floor(value / 10) - 2] ?? word, NUMBERS[value % 10] ?? ''];
  return value % 10 === 0 ? [ten] : [ten, one];
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
