/**
 * A line as atoms: digits, words and marks, with their places in it. Spelled numbers become digits, so that whatever
 * looks for a number sees one way of writing it.
 */
import { DE, EN, ES, FILLERS, FR, NUMBER_WORDS, type NumberWord, OH, TIMES } from './number-words.ts';

export interface Atom {
  type: 'digits' | 'word' | 'mark';
  /** Digits 0 to 9; a word in lower case without accents; a character. */
  value: string;
  /** Its place in the line, in UTF-16 units; `to` is exclusive. */
  from: number;
  to: number;
  /** Whether digits were words. */
  isSpoken: boolean;
}

const TOKENS = /[\p{L}\p{M}]+|\p{Nd}+|[^\s]/gu;
/** An id consists of digits by chance. */
const UUID = /\b[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}\b/gi;
/** Days, which are numbers of no other kind. */
const DATES =
  /(?<![\d./-])(?:(?:0?[1-9]|[12]\d|3[01])[./-](?:0?[1-9]|[12]\d|3[01])[./-](?:19|20)\d\d|(?:19|20)\d\d-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01]))(?!\d|[./-]\d)/g;
const PUNCTUATED = /\d[-./]\d/;
const NOT_ASCII = /[^\0-\x7f]/;

/** Words of which a number may begin, looked up once for each word of a line. */
const NUMBERISH = new Set([...NUMBER_WORDS.keys(), ...TIMES.keys(), ...OH]);

export function atomsOf(text: string): Atom[] {
  const line = withoutDatesAndIds(text);
  if (!NOT_ASCII.test(line)) return withNumbers(tokensOfAscii(line));
  const tokens: Atom[] = [];
  for (const { 0: token, index: from } of line.matchAll(TOKENS)) tokens.push(tokenOf(token, from));
  return withNumbers(tokens);
}

/** The same tokens, in less time: most lines are ASCII, and each is read by the worker and by the service. */
function tokensOfAscii(line: string): Atom[] {
  const tokens: Atom[] = [];
  for (let from = 0; from < line.length; ) {
    const type = typeOf(line.charCodeAt(from));
    let to = from + 1;
    if (type !== 'mark') while (to < line.length && typeOf(line.charCodeAt(to)) === type) to++;
    const token = line.slice(from, to);
    if (type) tokens.push({ type, value: type === 'word' ? token.toLowerCase() : token, from, to, isSpoken: false });
    from = to;
  }
  return tokens;
}

/** Null for white space. */
function typeOf(code: number): Atom['type'] | null {
  if (code === 32 || (code >= 9 && code <= 13)) return null;
  if (code >= 48 && code <= 57) return 'digits';
  const letter = code | 32;
  return letter >= 97 && letter <= 122 ? 'word' : 'mark';
}

/** The line, of the same length. */
function withoutDatesAndIds(text: string): string {
  const blank = (found: string) => '#'.repeat(found.length);
  const withoutIds = text.includes('-') ? text.replace(UUID, blank) : text;
  return PUNCTUATED.test(withoutIds) ? withoutIds.replace(DATES, blank) : withoutIds;
}

function tokenOf(token: string, from: number): Atom {
  const to = from + token.length;
  const code = token.charCodeAt(0);
  const isAscii = !NOT_ASCII.test(token);
  if (isAscii && code >= 48 && code <= 57) return { type: 'digits', value: token, from, to, isSpoken: false };
  if (isAscii && /^[a-z]/i.test(token)) return { type: 'word', value: token.toLowerCase(), from, to, isSpoken: false };
  if (isAscii) return { type: 'mark', value: token, from, to, isSpoken: false };
  if (/^\p{Nd}/u.test(token)) return { type: 'digits', value: digitsOf(token), from, to, isSpoken: false };
  if (/^[\p{L}\p{M}]/u.test(token)) return { type: 'word', value: fold(token), from, to, isSpoken: false };
  return { type: 'mark', value: /\p{Pd}/u.test(token) ? '-' : token, from, to, isSpoken: false };
}

function fold(word: string): string {
  return word.toLowerCase().normalize('NFKD').replace(/\p{M}/gu, '').replaceAll('ß', 'ss');
}

/** Digits that recognition and forms may produce beside 0 to 9: full-width and Arabic ones. Others count as 0. */
function digitsOf(token: string): string {
  const digits = token
    .normalize('NFKC')
    .replace(/[\u0660-\u0669\u06f0-\u06f9]/g, (digit) => String(digit.charCodeAt(0) & 15));
  return digits.replace(/[^0-9]/gu, '0');
}

function withNumbers(tokens: Atom[]): Atom[] {
  const first = tokens.findIndex(isNumberish);
  if (first < 0) return tokens;
  const atoms = tokens.slice(0, first);
  for (let index = first; index < tokens.length; ) {
    const token = tokens[index] as Atom;
    const read = isNumberish(token) ? readNumber(tokens, index, atoms.at(-1)) : undefined;
    atoms.push(read ? digits(read.value, token, tokens[read.end - 1] as Atom) : token);
    index = read?.end ?? index + 1;
  }
  return atoms;
}

function isNumberish({ type, value }: Atom): boolean {
  return type === 'word' && NUMBERISH.has(value);
}

function digits(value: string, { from }: Atom, { to }: Atom): Atom {
  return { type: 'digits', value, from, to, isSpoken: true };
}

interface Read {
  value: string;
  /** Index of the first token behind it. */
  end: number;
}

/** Reads the number that begins at a word; undefined if none does. */
function readNumber(tokens: Atom[], index: number, before: Atom | undefined): Read | undefined {
  const { value } = tokens[index] as Atom;
  const times = TIMES.get(value);
  if (times) return repeated(tokens, index, times);
  if (OH.has(value)) return isAmongDigits(tokens, index, before) ? { value: '0', end: index + 1 } : undefined;
  const word = NUMBER_WORDS.get(value);
  if (!word) return undefined;
  const number = belowHundred(tokens, index, word);
  if (word.type === 'teen' || word.type === 'ten' || word.type === 'whole') return asText(number);
  return asText(hundreds(tokens, index, word) ?? number);
}

interface Counted {
  value: number;
  end: number;
}

function asText({ value, end }: Counted): Read {
  return { value: String(value), end };
}

function repeated(tokens: Atom[], index: number, times: number): Read | undefined {
  const next = afterHyphen(tokens, index);
  const { value = '', type } = tokens[next] ?? {};
  const word = NUMBER_WORDS.get(value);
  const digit = type === 'digits' && value.length === 1 ? value : OH.has(value) ? '0' : word && String(word.value);
  if (digit === undefined || (word && word.type !== 'digit')) return undefined;
  return { value: digit.repeat(times), end: next + 1 };
}

function isAmongDigits(tokens: Atom[], index: number, before: Atom | undefined): boolean {
  const next = tokens[index + 1];
  const isNext =
    next !== undefined && (next.type === 'digits' || NUMBER_WORDS.has(next.value) || TIMES.has(next.value));
  const isLast = next === undefined || next.type === 'mark' || OH.has(next.value) || FILLERS.has(next.value);
  return isNext || (before?.isSpoken === true && isLast);
}

/** The index behind a token, and behind a hyphen after it. */
function afterHyphen(tokens: Atom[], index: number): number {
  return tokens[index + 1]?.value === '-' ? index + 2 : index + 1;
}

function wordAt(tokens: Atom[], index: number, languages: number): NumberWord | undefined {
  const token = tokens[index];
  const word = token?.type === 'word' ? NUMBER_WORDS.get(token.value) : undefined;
  return word && (word.languages & languages) > 0 ? word : undefined;
}

/** "Eight hundred", "hundert", "deux cent": with what follows, if it is below a hundred. */
function hundreds(tokens: Atom[], index: number, word: NumberWord): Counted | undefined {
  const isAlone = word.type !== 'digit';
  const place = isAlone ? index : afterHyphen(tokens, index);
  const hundred = wordAt(tokens, place, word.languages);
  if (!hundred?.type.startsWith('hundred') || (isAlone && word.languages === EN) || word.value === 0) return undefined;
  if (!isAlone && hundred.type === 'hundreds') return undefined;
  const value = isAlone ? word.value : word.value * 100;
  const next = tokens[place + 1]?.value === 'and' ? place + 2 : place + 1;
  const rest = wordAt(tokens, next, hundred.languages);
  // Alone, a digit after it is the next one of a dictated number.
  if (!rest || rest.type.startsWith('hundred') || rest.type === 'digit') return { value, end: place + 1 };
  const below = belowHundred(tokens, next, rest);
  return { value: value + below.value, end: below.end };
}

function belowHundred(tokens: Atom[], index: number, word: NumberWord): Counted {
  const { value, type, languages } = word;
  const next = afterHyphen(tokens, index);
  const alone = { value, end: index + 1 };
  const joined = tokens[next]?.value;
  const behind = joined === undefined ? next : afterHyphen(tokens, next);
  if (languages & FR) {
    const french = frenchNumber(tokens, word, next, behind);
    if (french) return french;
  }
  if (type === 'ten' && languages & ES && joined === 'y')
    return sum(value, wordAt(tokens, behind, ES), behind) ?? alone;
  if (type === 'digit' && languages & DE && joined === 'und') {
    const ten = wordAt(tokens, behind, DE);
    return ten?.type === 'ten' && value > 0 ? { value: value + ten.value, end: behind + 1 } : alone;
  }
  if (type === 'ten' && languages & EN) return sum(value, wordAt(tokens, next, EN), next) ?? alone;
  return alone;
}

/** A ten with the digit after it. */
function sum(ten: number, unit: NumberWord | undefined, index: number): Counted | undefined {
  return unit?.type === 'digit' && unit.value > 0 ? { value: ten + unit.value, end: index + 1 } : undefined;
}

function frenchNumber(tokens: Atom[], { value, type }: NumberWord, next: number, behind: number): Counted | undefined {
  const after = wordAt(tokens, next, FR);
  if (value === 4 && after?.value === 20) return plus(80, tokens, behind, true) ?? { value: 80, end: next + 1 };
  if (value === 10 && after?.type === 'digit' && after.value >= 7) return { value: 10 + after.value, end: next + 1 };
  if (type !== 'ten') return undefined;
  if (tokens[next]?.value === 'et') {
    const unit = wordAt(tokens, behind, FR)?.value;
    return unit === 1 || unit === 11 ? { value: value + unit, end: behind + 1 } : undefined;
  }
  return plus(value, tokens, next, value === 60);
}

/** A French ten with what follows: up to 9, or up to 19 after 60 and 80. */
function plus(ten: number, tokens: Atom[], index: number, isTwenty: boolean): Counted | undefined {
  const word = wordAt(tokens, index, FR);
  if (!word) return undefined;
  if (word.type === 'digit') return sum(ten, word, index);
  if (word.type !== 'teen' || !isTwenty) return undefined;
  const below = belowHundred(tokens, index, word);
  return { value: ten + below.value, end: below.end };
}
