import type { Atom } from './atoms.ts';
import type { Place } from './cards.ts';
import { FILLERS } from './number-words.ts';

/** Lengths of the account numbers by country (SWIFT, IBAN Registry). */
const LENGTHS = new Map(
  (
    'AD24 AE23 AL28 AT20 AZ28 BA20 BE16 BG22 BH22 BI27 BR29 BY28 CH21 CR22 CY28 CZ24 DE22 DJ27 DK18 DO28 EE20 EG29 ' +
    'ES24 FI18 FK18 FO18 FR27 GB22 GE22 GI23 GL18 GR27 GT28 HN28 HR21 HU28 IE22 IL23 IQ23 IS26 IT27 JO30 KW30 KZ20 ' +
    'LB28 LC32 LI21 LT20 LU20 LV21 LY25 MC27 MD24 ME22 MK19 MN20 MR27 MT31 MU30 NI28 NL18 NO15 OM23 PK24 PL28 PS29 ' +
    'PT25 QA29 RO24 RS22 RU33 SA24 SC31 SD18 SE24 SI19 SK24 SM27 SO23 ST25 SV28 TL23 TN24 TR26 UA29 VA22 VG24 XK20 YE30'
  )
    .split(' ')
    .map((entry) => [entry.slice(0, 2).toLowerCase(), Number(entry.slice(2))]),
);
const BETWEEN = new Set(['-', ',', '.', ';', ':']);
/** The longest run of letters in an account number. */
const MAX_LETTERS = 8;

/** International bank account numbers, also with spelled letters and digits. */
export function ibansIn(atoms: readonly Atom[]): Place[] {
  const found: Place[] = [];
  for (let index = 0; index < atoms.length; index++) {
    const iban = ibanAt(atoms, index);
    if (!iban) continue;
    found.push({ from: (atoms[index] as Atom).from, to: (atoms[iban] as Atom).to });
    index = iban;
  }
  return found;
}

/** The index of the last atom of the number that begins here. */
function ibanAt(atoms: readonly Atom[], first: number): number | undefined {
  const begun = atoms[first] as Atom;
  if (begun.type !== 'word' || begun.value.length > 2) return undefined;
  const country = begun.value.length === 2 ? begun.value : begun.value + letterAfter(atoms, first);
  const length = LENGTHS.get(country);
  if (!length) return undefined;
  let written = '';
  for (let index = first; index < atoms.length; index++) {
    const atom = atoms[index] as Atom;
    if (BETWEEN.has(atom.value) || (written.length >= 2 && isFiller(atom))) continue;
    if (atom.type === 'mark' || (atom.type === 'word' && atom.value.length > MAX_LETTERS)) return undefined;
    written += atom.value;
    if (written.length > 2 && !/^..\d/.test(written)) return undefined;
    if (written.length === length) return isValid(written) ? index : undefined;
    if (written.length > length) return undefined;
  }
  return undefined;
}

function letterAfter(atoms: readonly Atom[], index: number): string {
  const next = atoms[index + 1];
  const after = next && BETWEEN.has(next.value) ? atoms[index + 2] : next;
  return after?.type === 'word' && after.value.length === 1 ? after.value : '';
}

function isFiller({ type, value }: Atom): boolean {
  return type === 'word' && value.length > 1 && FILLERS.has(value);
}

/** ISO 7064, MOD 97-10. */
function isValid(iban: string): boolean {
  let rest = 0;
  for (const character of iban.slice(4) + iban.slice(0, 4)) {
    const value = Number.parseInt(character, 36);
    if (Number.isNaN(value)) return false;
    rest = (rest * (value > 9 ? 100 : 10) + value) % 97;
  }
  return rest === 1;
}
