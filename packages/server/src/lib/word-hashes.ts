/** Characters of one line, and of what a call may have in one batch, that are indexed. */
const LINE = 8192;
const MOST = 5000;

/**
 * The words of a text whose words are only kept as hashes: parts of letters, digits and marks, without case. Of the
 * index and of the search alike.
 */
export function wordsOf(text: string): string[] {
  return [
    ...new Set(
      text
        .slice(0, LINE)
        .normalize('NFC')
        .toLowerCase()
        .match(/[\p{L}\p{N}\p{M}]+/gu) ?? [],
    ),
  ];
}

/** The entries of the index for these words; no word of a clear text begins with this sign. */
export function entriesOf(words: Iterable<string>, hash: (word: string) => string): string[] {
  return [...new Set(words)].slice(0, MOST).map((word) => `#${hash(word)}`);
}

/** The search for all of these words, as a `tsquery`. */
export function queryOf(words: string[], hash: (word: string) => string): string {
  return entriesOf(words, hash)
    .map((entry) => `'${entry}'`)
    .join(' & ');
}
