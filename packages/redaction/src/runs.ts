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
  /** The run that it is a part of. */
  whole?: Run;
}

const BETWEEN = new Set(['-', ',', '.', '…', ';', '(', ')', '*', ...FILLERS]);
/** Marks and words that separate two numbers rather than the digits of one: the likeliest first. */
const SEPARATORS = [['and', 'y', 'et', 'und'], [',', ';', '…'], [...FILLERS], ['.', '(']];
/** Less and less between the digits of a run. */
const LESS_BETWEEN = SEPARATORS.map((_, index) => {
  const separators = new Set(SEPARATORS.slice(0, index + 1).flat());
  return new Set([...BETWEEN].filter((one) => !separators.has(one)));
});
/** Marks and words between two atoms. */
const MAX_BETWEEN = 6;

export function runsOf(atoms: readonly Atom[], between = BETWEEN): Run[] {
  const runs: Run[] = [];
  let run: Run | undefined;
  let gap: string[] = [];
  for (const [index, atom] of atoms.entries()) {
    if (atom.type !== 'digits') {
      gap.push(atom.value);
      if (!between.has(atom.value) || gap.length > MAX_BETWEEN) run = undefined;
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

/** Parts of runs, which may be numbers beside each other: at first what no "and" divides, and the smallest last. */
export function partsOf(atoms: readonly Atom[], runs: readonly Run[]): Run[] {
  const wholes = runs.filter(({ gaps }) => gaps.some((gap) => /[^)-]/.test(gap)));
  if (wholes.length === 0) return [];
  const wholeOf = new Map(wholes.flatMap((run) => run.atoms.map((atom) => [atom, run] as const)));
  const seen = new Set(runs.map(placeOf));
  const parts: Run[] = [];
  for (const part of LESS_BETWEEN.flatMap((between) => runsOf(atoms, between))) {
    const whole = wholeOf.get(part.atoms[0] as Atom);
    if (!whole || seen.has(placeOf(part))) continue;
    seen.add(placeOf(part));
    parts.push({ ...part, whole });
  }
  return parts;
}

const placeOf = ({ atoms }: Run): string => `${atoms[0]?.from}-${atoms.at(-1)?.to}`;

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
