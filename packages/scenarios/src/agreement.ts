import { type Interval, wilson } from './statistics.ts';

/** A labelled example, and what a judge says of it: null if its votes decide nothing. */
export interface Judgement {
  holds: boolean;
  judged: boolean | null;
}

/** How often judged as what; the first word is the label. */
interface Judgements {
  true_true: number;
  true_false: number;
  true_undecided: number;
  false_true: number;
  false_false: number;
  false_undecided: number;
}

/** Rates are between 0 and 1, and null where there is nothing to count. */
export interface Agreement extends Judgements {
  examples: number;
  agreed: number;
  /** The part that is judged as it is labelled: what is undecided is not. */
  agreement: number | null;
  /** Its 95 % interval. */
  interval: Interval;
  /** The part of what is judged true that is labelled so. */
  precision: number | null;
  /** The part of what is labelled true that is judged so: what is undecided is missed. */
  recall: number | null;
  /** Cohen's kappa: agreement beyond that of chance. Undecided is a third answer, which no label has. */
  kappa: number | null;
}

export function agreementOf(judgements: readonly Judgement[]): Agreement {
  const count = (label: boolean, answer: boolean | null) =>
    judgements.filter(({ holds, judged }) => holds === label && judged === answer).length;
  const counts: Judgements = {
    true_true: count(true, true),
    true_false: count(true, false),
    true_undecided: count(true, null),
    false_true: count(false, true),
    false_false: count(false, false),
    false_undecided: count(false, null),
  };
  const examples = judgements.length;
  const agreed = counts.true_true + counts.false_false;
  const labelledTrue = counts.true_true + counts.true_false + counts.true_undecided;
  const judgedTrue = counts.true_true + counts.false_true;
  const judgedFalse = counts.true_false + counts.false_false;
  // Both sides are times the square of the examples: whole numbers have no rounding.
  const chance = labelledTrue * judgedTrue + (examples - labelledTrue) * judgedFalse;
  return {
    ...counts,
    examples,
    agreed,
    agreement: part(agreed, examples),
    interval: wilson(agreed, examples),
    precision: part(counts.true_true, judgedTrue),
    recall: part(counts.true_true, labelledTrue),
    kappa: part(agreed * examples - chance, examples ** 2 - chance),
  };
}

const part = (some: number, all: number): number | null => (all === 0 ? null : some / all);
