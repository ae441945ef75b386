import type { Atom } from './atoms.ts';
import { FILLERS } from './number-words.ts';

/** Digits that follow each other, apart from hyphens, commas, and words that people say while they dictate. */
export interface Run {
  atoms: Atom[];
  /** Those of all atoms. */
  digits: string;
  /** Marks and words between each atom and the next one, like `,` for a pause that the recognition wrote. */
  gaps: string[];
  /** The index of the atom before it, in the line. */
  before: number;
}

const BETWEEN = new Set(['-', ',', '.', '…', ';', '(', ')', '*']);
/** Marks and words between two atoms. */
const MAX_BETWEEN = 6;

export function runsOf(atoms: readonly Atom[]): Run[] {
  const runs: Run[] = [];
  let run: Run | undefined;
  let gap: string[] = [];
  for (const [index, atom] of atoms.entries()) {
    if (atom.type !== 'digits') {
      gap.push(atom.value);
      const isBetween = atom.type === 'mark' ? BETWEEN.has(atom.value) : FILLERS.has(atom.value);
      if (!isBetween || gap.length > MAX_BETWEEN) run = undefined;
      continue;
    }
    if (run) {
      run.gaps.push(gap.join(''));
    } else {
      run = { atoms: [], digits: '', gaps: [], before: index - 1 };
      runs.push(run);
    }
    run.atoms.push(atom);
    run.digits += atom.value;
    gap = [];
  }
  return runs;
}

/** A part of a run that begins and ends with whole atoms; undefined if that is not possible. */
export function partOf(
  run: Run,
  first: number,
  length: number,
): { from: number; to: number; last: number } | undefined {
  let rest = length;
  for (let index = first; index < run.atoms.length; index++) {
    const atom = run.atoms[index] as Atom;
    rest -= atom.value.length;
    if (rest < 0) return undefined;
    if (rest === 0) return { from: (run.atoms[first] as Atom).from, to: atom.to, last: index };
  }
  return undefined;
}
