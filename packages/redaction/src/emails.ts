import type { Atom } from './atoms.ts';
import type { Place } from './cards.ts';

const words = (text: string) => new Set(text.split(' '));

/** Words that stand for the sign between a name and its domain. */
export const AT = words('@ at arroba arobase arrobase klammeraffe affenschwanz');
/** Words of other meanings too: then the word before it decides. */
const AMBIGUOUS = words('at');
const DOT = words('. dot punto punkt point');
const JOINERS = words(
  '. dot punto punkt point _ underscore unterstrich - dash hyphen bindestrich guion tiret minus + plus mas %',
);
/** The first word of a joiner of two. */
const DOUBLE = new Map([
  ['guion', 'bajo'],
  ['barra', 'baja'],
  ['tiret', 'bas'],
  ['under', 'score'],
]);
/** The last labels of domains that people have addresses in. */
const ENDINGS = words(
  'com org net edu gov mil int info biz eu io co ai app dev me tv us uk ca au nz ie de at ch li lu es mx ar cl pe ve ' +
    'fr be mc it pt br nl dk se no fi is pl cz sk hu ro bg gr hr si rs ua ru tr il in jp cn kr online shop cloud tech email',
);
/** Before "at" in a sentence, not in an address. */
const NOT_NAMES = words(
  'me us you him her it them is are was were be been am look looking visit visiting meet meeting find found available ' +
    'live lives work works working arrive arrives open opens start starts store shop online here there not or and the a ' +
    'in on page site website bin bist ist sind war',
);
/** Words before the name, for names that begin with digits or letters. */
const BEFORE = words('is its it the a my at to und and ist es mi mon ma meine lautet');
const MAX_PARTS = 40;

/** Addresses, also with spoken signs: "john dot smith at example dot com". */
export function emailsIn(atoms: readonly Atom[]): Place[] {
  const found: Place[] = [];
  for (const [index, atom] of atoms.entries()) {
    if (atom.type === 'digits' || !AT.has(atom.value)) continue;
    const email = emailAt(atoms, index);
    if (email) found.push(email);
  }
  return found;
}

function emailAt(atoms: readonly Atom[], at: number): Place | undefined {
  const last = domainEnd(atoms, at + 1);
  const first = last === undefined ? undefined : nameBegin(atoms, at - 1);
  if (first === undefined || last === undefined) return undefined;
  if (AMBIGUOUS.has((atoms[at] as Atom).value) && first === at - 1 && NOT_NAMES.has((atoms[first] as Atom).value))
    return undefined;
  return { from: (atoms[first] as Atom).from, to: (atoms[last] as Atom).to };
}

const isPart = (atom: Atom | undefined): atom is Atom => atom !== undefined && atom.type !== 'mark';
const isGlued = (left: Atom, right: Atom) => left.to === right.from;
/** A letter or a spoken number, as in a name that is spelled. */
const isSpelled = (atom: Atom) => atom.value.length === 1 || atom.isSpoken;

/** Whether an atom joins two parts: a mark without spaces around it, or a word for one. */
function isJoiner(atoms: readonly Atom[], index: number): boolean {
  const atom = atoms[index];
  if (!atom || !JOINERS.has(atom.value)) return false;
  if (atom.type !== 'mark') return true;
  const [left, right] = [atoms[index - 1], atoms[index + 1]];
  return left !== undefined && right !== undefined && isGlued(left, atom) && isGlued(atom, right);
}

function nameBegin(atoms: readonly Atom[], end: number): number | undefined {
  if (!isPart(atoms[end])) return undefined;
  let first = end;
  for (let parts = 0; parts < MAX_PARTS; parts++) {
    const atom = atoms[first] as Atom;
    const before = atoms[first - 1];
    const isTwoWords = before && DOUBLE.get(atoms[first - 2]?.value ?? '') === before.value;
    if (isTwoWords && isPart(atoms[first - 3])) first -= 3;
    else if (isJoiner(atoms, first - 1) && isPart(atoms[first - 2])) first -= 2;
    else if (isPart(before) && (isGlued(before, atom) || belongs(before, atom))) first -= 1;
    else break;
  }
  return first;
}

/** "john four two", and letters that are spelled. */
function belongs(before: Atom, atom: Atom): boolean {
  if (isSpelled(before) && isSpelled(atom)) return !BEFORE.has(before.value) || before.value.length === 1;
  return atom.isSpoken && before.type === 'word' && !BEFORE.has(before.value);
}

/** The index of the last atom of the domain that begins here. */
function domainEnd(atoms: readonly Atom[], first: number): number | undefined {
  if (!isPart(atoms[first]) || atoms[first].value === 'www') return undefined;
  let last = first;
  let end: number | undefined;
  for (let parts = 0; parts < MAX_PARTS; parts++) {
    const joiner = atoms[last + 1];
    const next = atoms[last + 2];
    if (joiner && DOUBLE.get(joiner.value) === next?.value && isPart(atoms[last + 3])) last += 3;
    else if (isJoiner(atoms, last + 1) && isPart(next)) {
      last += 2;
      if (joiner && DOT.has(joiner.value) && isEnding(joiner, next)) end = last;
    } else if (isPart(joiner) && isSameLabel(atoms[last] as Atom, joiner)) last += 1;
    else break;
  }
  return end;
}

/** Parts of one label: without a space, spelled, or a letter before a word ("g mail"). */
function isSameLabel(atom: Atom, next: Atom): boolean {
  return (
    isGlued(atom, next) || (isSpelled(atom) && (isSpelled(next) || (atom.type === 'word' && !JOINERS.has(next.value))))
  );
}

/** Any ending counts in a written address. */
function isEnding(joiner: Atom, { value, type }: Atom): boolean {
  return ENDINGS.has(value) || (joiner.type === 'mark' && type === 'word' && value.length >= 2);
}
