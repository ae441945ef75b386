import type { Run } from './runs.ts';
import { partOf } from './runs.ts';

/** Beginnings of card numbers and their lengths (ISO/IEC 7812, as the networks publish them). */
const NETWORKS: readonly [RegExp, readonly number[]][] = [
  [/^4/, [16, 19, 13]],
  [/^(5[1-5]|222[1-9]|22[3-9]|2[3-6]|27[01]|2720)/, [16]],
  [/^3[47]/, [15]],
  [/^(6011|64[4-9]|65)/, [16, 19]],
  [/^(30[0-5]|3095|36|38|39)/, [14, 16, 19]],
  [/^(352[89]|35[3-8])/, [16, 19]],
  [/^62/, [16, 17, 18, 19]],
  [/^(50|5[6-9]|6[0-9])/, [16, 19, 18, 17, 15, 14, 13, 12]],
];
/** Fewer digits are common by chance: only a number that stands alone counts. */
const SHORT = 14;

export interface Place {
  from: number;
  to: number;
}

/** Card numbers in a run. */
export function cardsIn(run: Run): Place[] {
  const found: Place[] = [];
  let offset = 0;
  for (let first = 0; first < run.atoms.length; ) {
    const card = cardAt(run, first, offset);
    if (card) found.push(card);
    const next = card ? card.last + 1 : first + 1;
    for (; first < next; first++) offset += run.atoms[first]?.value.length ?? 0;
  }
  return found;
}

function cardAt(run: Run, first: number, offset: number) {
  for (const length of lengthsOf(run.digits.slice(offset))) {
    if (length < SHORT && run.digits.length !== length) continue;
    const digits = run.digits.slice(offset, offset + length);
    if (digits.length < length || !isLuhn(digits)) continue;
    const part = partOf(run, first, length);
    if (part) return part;
  }
  return undefined;
}

function lengthsOf(digits: string): readonly number[] {
  return NETWORKS.find(([beginning]) => beginning.test(digits))?.[1] ?? [];
}

/** Whether digits that go on could be a card number. */
export const beginsLikeACard = (digits: string): boolean => lengthsOf(digits).length > 0;

/** The check digit of card numbers. */
function isLuhn(digits: string): boolean {
  let total = 0;
  for (let index = 0; index < digits.length; index++) {
    const digit = digits.charCodeAt(digits.length - 1 - index) - 48;
    const doubled = index % 2 === 1 ? digit * 2 : digit;
    total += doubled > 9 ? doubled - 9 : doubled;
  }
  return total % 10 === 0;
}
