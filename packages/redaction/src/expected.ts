import type { Atom } from './atoms.ts';
import type { Kind } from './types.ts';

/** Words of a line that say which number comes next, without accents. */
type Word = 'card' | 'number' | 'social' | 'security' | 'phone' | Kind;

/** Words that announce a number, without accents. */
export const WORDS = new Map<string, Word[]>([
  ...entries('card cards tarjeta carte karte kreditkarte', 'card'),
  ...entries('number digits numero numeros nummer ziffern cifras chiffres', 'number'),
  ...entries('kartennummer kreditkartennummer cardnumber', 'card', 'number'),
  ...entries('iban', 'iban'),
  ...entries('ssn sozialversicherungsnummer rentenversicherungsnummer nuss', 'ssn'),
  ...entries('social sociale', 'social'),
  ...entries('security seguro seguridad securite', 'security'),
  ...entries('phone telephone telefono movil celular mobile cell callback', 'phone'),
  ...entries('telefonnummer handynummer mobilnummer ruckrufnummer', 'phone', 'number'),
]);

function entries(words: string, ...means: Word[]): [string, Word[]][] {
  return words.split(' ').map((word) => [word, means]);
}

/** The kind of number that a line asks for or announces, and the index of the atom that says so. */
export function expectedIn(
  atoms: readonly Atom[],
  kinds: ReadonlySet<string>,
): { kind: Kind; index: number } | undefined {
  const said = new Set<Word>();
  let found: { kind: Kind; index: number } | undefined;
  for (const [index, { type, value }] of atoms.entries()) {
    const words = type === 'word' ? WORDS.get(value) : undefined;
    if (!words || isPlaceholder(atoms, index)) continue;
    for (const word of words) said.add(word);
    const kind = kindOf(said);
    if (kind && kinds.has(kind) && found?.kind !== kind) found = { kind, index };
  }
  return found;
}

/** Whether it is the name in one like `[card]`: that number was said, and none is asked for. */
function isPlaceholder(atoms: readonly Atom[], index: number): boolean {
  return atoms[index - 1]?.value === '[' && atoms[index + 1]?.value === ']';
}

function kindOf(said: Set<Word>): Kind | undefined {
  if (said.has('ssn') || (said.has('social') && said.has('security'))) return 'ssn';
  if (said.has('iban')) return 'iban';
  if (said.has('card') && said.has('number')) return 'card';
  return said.has('phone') && said.has('number') ? 'phone' : undefined;
}
