/**
 * Tells lines in which nothing can be found, which most are, from the others, without reading them word by word: it is
 * done for each line of each conversation.
 */

const [A, Z, SHIFT] = [97, 122, 32];
const LONGEST = 24;
/** Curved quotes, dashes and ellipses, which recognition writes. */
const MARKS = /[\u2010-\u2027]/;

/** A test for lines without digits, `@`, and these words. Other scripts, and letters with accents, are not plain. */
export function createPlainTest(words: Iterable<string>) {
  const known = new Set(words);
  // First letter, last letter and length: few other words share all three with a known one.
  const shapes = new Uint8Array(26 * 26 * (LONGEST + 1));
  for (const word of known)
    if (/^[a-z]+$/.test(word) && word.length <= LONGEST)
      shapes[shapeOf(word.charCodeAt(0), word.charCodeAt(word.length - 1), word.length)] = 1;

  function isKnown(text: string, from: number, to: number): boolean {
    const length = to - from;
    if (length < 2 || length > LONGEST) return length > LONGEST;
    const shape = shapeOf(text.charCodeAt(from) | SHIFT, text.charCodeAt(to - 1) | SHIFT, length);
    return shapes[shape] === 1 && known.has(text.slice(from, to).toLowerCase());
  }

  /** The number of words of a plain line; -1 for one in which something may be found. */
  return function countWords(text: string): number {
    let count = 0;
    let from = -1;
    for (let at = 0; at <= text.length; at++) {
      const code = at < text.length ? text.charCodeAt(at) : 0;
      const letter = code | SHIFT;
      const isLetter = code < 128 && letter >= A && letter <= Z;
      if (isLetter && from < 0) from = at;
      if (isLetter) continue;
      if (from >= 0 && isKnown(text, from, at)) return -1;
      if (from >= 0) count++;
      from = -1;
      if ((code >= 48 && code <= 57) || code === 64) return -1;
      if (code > 127 && !MARKS.test(text[at] as string)) return -1;
    }
    return count;
  };
}

function shapeOf(first: number, last: number, length: number): number {
  return ((first - A) * 26 + (last - A)) * (LONGEST + 1) + length;
}
