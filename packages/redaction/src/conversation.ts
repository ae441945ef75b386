import type { CountryCode } from 'libphonenumber-js/max';
import { atomsOf } from './atoms.ts';
import { beginsLikeACard } from './cards.ts';
import { AT } from './emails.ts';
import { expectedIn, WORDS } from './expected.ts';
import { addSpan, findIn, type Line } from './line.ts';
import { FILLERS, NUMBER_WORDS, TIMES } from './number-words.ts';
import { createPlainTest } from './plain.ts';
import { type Run, runsOf } from './runs.ts';
import type { Kind, Redacted, Span } from './types.ts';

/** Digits of a speaker's earlier lines that are kept: more than the longest number has. */
const MAX_TAIL = 40;
/** Lines after a question in which its answer may come. */
const PATIENCE = 8;
/** Digits that are an answer, in a line with other words. */
const MIN_ANSWER = 4;
/** The same in a line of nothing else. */
const MIN_BARE_ANSWER = 2;
/** Digits from which on groups of four are taken for a card number that goes on. */
const MIN_GROUPED = 8;

/** Words of a line that may stand between two parts of a number. */
const FEW_WORDS = 3;

const countPlainWords = createPlainTest([...NUMBER_WORDS.keys(), ...TIMES.keys(), ...AT, ...WORDS.keys()]);

/** The end of what a speaker has said, if it was digits. */
interface Tail {
  text: string;
  /** The number of digits of each line. */
  groups: number[];
}

interface Settings {
  kinds: ReadonlySet<string>;
  country: CountryCode;
  custom: (text: string) => Span[];
}

export function createConversation({ kinds, country, custom }: Settings) {
  const tails = new Map<string, Tail>();
  let expected: { kind: Kind; lines: number } | undefined;

  function find(speaker: string, text: string): Span[] {
    const words = countPlainWords(text);
    if (words < 0) return findWords(speaker, text);
    if (words > FEW_WORDS) tails.delete(speaker);
    goOn(undefined);
    return custom(text);
  }

  function findWords(speaker: string, text: string): Span[] {
    const atoms = atomsOf(text);
    const line: Line = { text, atoms, runs: runsOf(atoms) };
    const announced = expectedIn(atoms, kinds);
    const kind = announced?.kind ?? expected?.kind;
    const search = { kinds, country, isSsnExpected: kind === 'ssn' };
    const spans = findIn(line, search);
    for (const span of custom(text)) addSpan(spans, span);
    if (line.runs.length > 0) {
      for (const span of answers(line, announced, kind)) addSpan(spans, span);
      for (const span of across(speaker, line, search)) addSpan(spans, span);
    }
    remember(speaker, line);
    goOn(announced?.kind);
    return spans;
  }

  /** Notes which number this line asks for, if any. */
  function goOn(kind: Kind | undefined): void {
    if (kind) expected = { kind, lines: PATIENCE };
    else if (expected && --expected.lines < 0) expected = undefined;
  }

  /** The parts in this line of numbers that began in the speaker's earlier ones. */
  function across(speaker: string, line: Line, search: Parameters<typeof findIn>[1]): Span[] {
    const tail = tails.get(speaker);
    const first = line.runs[0] as Run;
    if (!tail || !isAtBegin(line, first)) return [];
    const growing = growingCard(tail, line, first);
    if (growing) return [growing];
    const text = `${tail.text} ${line.text}`;
    const atoms = atomsOf(text);
    const shift = tail.text.length + 1;
    const found = findIn({ text, atoms, runs: runsOf(atoms) }, search);
    const from = line.atoms[0]?.from ?? 0;
    return found
      .filter((span) => span.from < shift && span.to > shift)
      .map(({ kind, to }) => ({ kind, from, to: to - shift }));
  }

  /** Lines of four digits each that begin like a card number. */
  function growingCard({ text, groups }: Tail, line: Line, run: Run): Span | undefined {
    const begun = runsOf(atomsOf(text))[0]?.digits ?? '';
    const all = [...groups, run.digits.length];
    const total = all.reduce((sum, one) => sum + one, 0);
    const isGrowing = kinds.has('card') && total >= MIN_GROUPED && total <= 19 && beginsLikeACard(begun);
    return isGrowing && isBare(line) && all.every((one) => one % 4 === 0) ? spanOf('card', run) : undefined;
  }

  /** Digits that answer a question, or follow an announcement, although they are not a whole number. */
  function answers(line: Line, announced: ReturnType<typeof expectedIn>, kind: Kind | undefined): Span[] {
    if (!kind) return [];
    const least = isBare(line) ? MIN_BARE_ANSWER : MIN_ANSWER;
    const behind = announced ? (line.atoms[announced.index]?.to ?? 0) : 0;
    return line.runs
      .filter((run) => run.digits.length >= least && (run.atoms[0]?.from ?? 0) >= behind)
      .map((run) => spanOf(kind, run));
  }

  function remember(speaker: string, { text, atoms, runs }: Line): void {
    const last = runs.at(-1);
    const end = last?.atoms.at(-1);
    if (!last || !end || !atoms.every((atom) => atom.to <= end.to || isPassing(atom))) {
      // "Yes", between two parts of a number, does not end it; a sentence does.
      if (atoms.length > FEW_WORDS) tails.delete(speaker);
      return;
    }
    const tail = isBare({ text, atoms, runs }) ? tails.get(speaker) : undefined;
    const begin = ibanBegin(text, last);
    const kept = tail ? `${tail.text} ${text.slice(begin, end.to)}` : text.slice(begin, end.to);
    const groups = [...(tail?.groups ?? []), last.digits.length];
    const digits = groups.reduce((sum, one) => sum + one, 0);
    if (digits > MAX_TAIL) tails.delete(speaker);
    else tails.set(speaker, { text: kept, groups });
  }

  return {
    /**
     * Redacts the next line of a conversation. A number that a speaker says in several lines is found by what was said
     * before; lines that were redacted earlier are not changed.
     */
    redact: (speaker: string, text: string): Redacted => replace(text, find(speaker, text)),
  };
}

/** The letters before an account number belong to it. */
function ibanBegin(text: string, run: Run): number {
  const from = (run.atoms[0] as { from: number }).from;
  const letters = /(?:^|\s)([a-z]\W{0,2}[a-z])\W{0,2}$/i.exec(text.slice(Math.max(0, from - 10), from));
  return letters ? from - (letters[0] as string).trimStart().length : from;
}

function isPassing({ type, value }: Line['atoms'][number]): boolean {
  return type === 'mark' || FILLERS.has(value);
}

/** Whether a line is digits and nothing else, apart from what people say while they dictate. */
function isBare({ atoms, runs }: Line): boolean {
  return runs.length === 1 && atoms.every((atom) => atom.type === 'digits' || isPassing(atom));
}

function isAtBegin({ atoms }: Line, run: Run): boolean {
  return atoms.slice(0, run.before + 1).every(isPassing);
}

function spanOf(kind: string, { atoms }: Run): Span {
  return { kind, from: (atoms[0] as { from: number }).from, to: (atoms.at(-1) as { to: number }).to };
}

function replace(text: string, spans: Span[]): Redacted {
  if (spans.length === 0) return { text, spans };
  const ordered = spans.toSorted((one, other) => one.from - other.from);
  let redacted = '';
  let at = 0;
  for (const { kind, from, to } of ordered) {
    redacted += `${text.slice(at, from)}[${kind}]`;
    at = to;
  }
  return { text: redacted + text.slice(at), spans: ordered };
}
