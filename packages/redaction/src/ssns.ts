import type { Atom } from './atoms.ts';
import type { Place } from './cards.ts';
import type { Run } from './runs.ts';
import { partOf } from './runs.ts';

/**
 * Social security numbers: of the United States in their grouping, or as nine digits where the line is about one; of
 * France (NIR) and Spain by their check digits. Those of Germany contain a letter: `germanSsnsIn`.
 */
export function ssnsIn(run: Run, isExpected: boolean): Place[] {
  const found: Place[] = [];
  let offset = 0;
  for (let first = 0; first < run.atoms.length; ) {
    const rest = run.digits.slice(offset);
    const part =
      (isFrench(rest.slice(0, 15)) && partOf(run, first, 15)) ||
      (isSpanish(rest.slice(0, 12)) && isWhole(run, first, 12, isExpected)) ||
      american(run, first, rest, isExpected);
    if (part) found.push(part);
    const next = part ? part.last + 1 : first + 1;
    for (; first < next; first++) offset += run.atoms[first]?.value.length ?? 0;
  }
  return found;
}

/** Twelve digits pass this check by chance once in a hundred: they have to stand alone, or be expected. */
function isWhole(run: Run, first: number, length: number, isExpected: boolean) {
  return isExpected || run.digits.length === length ? partOf(run, first, length) : undefined;
}

function american(run: Run, first: number, rest: string, isExpected: boolean) {
  if (!/^(?!000|666|9)\d{3}(?!00)\d\d(?!0000)\d{4}/.test(rest)) return undefined;
  const part = partOf(run, first, 9);
  if (!part || (isExpected ? undefined : !isGrouped(run, first, part.last))) return undefined;
  return isExpected || isAlone(run, first, part.last) ? part : undefined;
}

/** Whether it is no part of a longer number. */
function isAlone({ atoms, gaps }: Run, first: number, last: number): boolean {
  const isHyphenated = gaps[first] === '-' && gaps[first - 1] !== '-' && gaps[last] !== '-';
  return isHyphenated || (first === 0 && last === atoms.length - 1);
}

/** Whether the pauses are those of `123-45-6789`, all with the same mark or none. */
function isGrouped({ atoms, gaps }: Run, first: number, last: number): boolean {
  let digits = 0;
  const pauses: number[] = [];
  for (let index = first; index < last; index++) {
    digits += (atoms[index] as Atom).value.length;
    const isPause = (gaps[index] ?? '') !== '' || !atoms[index]?.isSpoken;
    if (isPause) pauses.push(digits);
  }
  return pauses.length === 2 && pauses[0] === 3 && pauses[1] === 5 && gaps[first] === gaps[last - 1];
}

/** Sex, year, month, department, commune, order, and a key of two digits. */
function isFrench(digits: string): boolean {
  if (!/^[12]\d\d(0[1-9]|1[0-2]|[2-4]\d|5\d|99)\d{10}$/.test(digits)) return false;
  return 97 - Number(BigInt(digits.slice(0, 13)) % 97n) === Number(digits.slice(13));
}

/** Province, number, and a key of two digits. */
function isSpanish(digits: string): boolean {
  if (!/^(0[1-9]|[1-4]\d|5[0-3]|66)\d{10}$/.test(digits)) return false;
  const [province, number] = [Number(digits.slice(0, 2)), Number(digits.slice(2, 10))];
  const whole = number < 10_000_000 ? number + province * 10_000_000 : Number(digits.slice(0, 10));
  return whole % 97 === Number(digits.slice(10));
}

const WEIGHTS = [2, 1, 2, 5, 7, 1, 2, 1, 2, 1, 2, 1];
const MARKS = new Set(['-', ',', '.']);

/** German social security numbers: an area, a date of birth, a letter, an order and a check digit. */
export function germanSsnsIn(atoms: readonly Atom[]): Place[] {
  const found: Place[] = [];
  for (const [index, letter] of atoms.entries()) {
    if (letter.type !== 'word' || !/^[a-z]$/.test(letter.value)) continue;
    const before = collect(atoms, index, -1, 8);
    const after = collect(atoms, index, 1, 3);
    if (!before || !after || !isGerman(before.digits, letter.value, after.digits)) continue;
    found.push({ from: (atoms[before.index] as Atom).from, to: (atoms[after.index] as Atom).to });
  }
  return found;
}

/** Digits beside an atom, and the index of the last one. */
function collect(atoms: readonly Atom[], start: number, step: 1 | -1, length: number) {
  let digits = '';
  for (let index = start + step; ; index += step) {
    const atom = atoms[index];
    if (atom && MARKS.has(atom.value)) continue;
    if (atom?.type !== 'digits') return undefined;
    digits = step > 0 ? digits + atom.value : atom.value + digits;
    if (digits.length === length) return { digits, index };
    if (digits.length > length) return undefined;
  }
}

function isGerman(before: string, letter: string, after: string): boolean {
  if (!/^\d\d(0[1-9]|[12]\d|3[01])(0[1-9]|1[0-2])\d\d$/.test(before)) return false;
  const place = String(letter.charCodeAt(0) - 96).padStart(2, '0');
  const digits = before + place + after.slice(0, 2);
  const total = WEIGHTS.reduce((sum, weight, index) => {
    const product = weight * Number(digits[index]);
    return sum + Math.floor(product / 10) + (product % 10);
  }, 0);
  return total % 10 === Number(after[2]);
}
