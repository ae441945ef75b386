import type { Part } from './mixer.ts';
import type { Utterance } from './speech.ts';

/** A word, and when it was said. */
export interface TimedWord {
  text: string;
  from: number;
  to: number;
}

/** Words that a recognizer has understood, of everything that was said until a time. */
export interface Recognized {
  text: string;
  until: number;
  /** Empty if the recognizer does not say when words were said. */
  words: TimedWord[];
}

/** A secret in a line, by its place in the text. */
export interface Secret {
  from: number;
  to: number;
}

/** Words may be this far from where their recognizer says. */
const MARGIN_MS = 600;
/** Where the first word is around the time at which speech is noticed, and the last one around its end. */
const [FIRST_MS, LAST_MS] = [
  { least: -600, most: 300 },
  { least: -550, most: 350 },
];

interface Line {
  text: string;
  secrets: readonly Secret[];
  /** Its words as they were recognized, in order. */
  covered: readonly Recognized[];
  utterances: readonly Utterance[];
}

/** Where the secrets of a line were said; null if the recognizer does not say, or does not agree with the detector. */
export function partsOf({ text, secrets, covered, utterances }: Line): Part[] | null {
  const words = covered.flatMap((one) => one.words);
  if (!agree(words, utterances)) return null;
  const placed = place(text, words);
  if (!placed) return null;
  const parts = secrets.map(({ from, to }) => {
    const own = placed.filter((word) => word.start < to && word.end > from);
    return {
      from_ms: Math.min(...own.map((word) => word.from)) - MARGIN_MS,
      to_ms: Math.max(...own.map((word) => word.to)) + MARGIN_MS,
    };
  });
  return parts.every((part) => Number.isFinite(part.from_ms)) ? parts : null;
}

/** Whether words begin and end where speech does: a recognizer that was connected again may count from elsewhere. */
function agree(words: readonly TimedWord[], utterances: readonly Utterance[]): boolean {
  const [first, last] = [words.at(0), words.at(-1)];
  const [begin, end] = [utterances.at(0)?.noticed, utterances.at(-1)?.to];
  if (!first || !last || begin === undefined || end === undefined || end === null) return false;
  const isWithin = (ms: number, { least, most }: typeof FIRST_MS) => ms >= least && ms <= most;
  return isWithin(first.from - begin, FIRST_MS) && isWithin(last.to - end, LAST_MS);
}

/** Words with their places in a text; null unless they are all of it. */
function place(text: string, words: readonly TimedWord[]): (TimedWord & { start: number; end: number })[] | null {
  const placed: (TimedWord & { start: number; end: number })[] = [];
  let at = 0;
  for (const word of words) {
    const start = text.indexOf(word.text, at);
    if (start < 0 || /[\p{L}\p{N}]/u.test(text.slice(at, start))) return null;
    at = start + word.text.length;
    placed.push({ ...word, start, end: at });
  }
  return /[\p{L}\p{N}]/u.test(text.slice(at)) ? null : placed;
}
