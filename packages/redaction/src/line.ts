import type { CountryCode } from 'libphonenumber-js/max';
import type { Atom } from './atoms.ts';
import { cardsIn, type Place } from './cards.ts';
import { emailsIn } from './emails.ts';
import { ibansIn } from './ibans.ts';
import { phonesIn } from './phones.ts';
import { partsOf, type Run } from './runs.ts';
import { germanSsnsIn, ssnsIn } from './ssns.ts';
import type { Span } from './types.ts';

/** A line that was read. */
export interface Line {
  text: string;
  atoms: readonly Atom[];
  runs: readonly Run[];
}

interface Search {
  kinds: ReadonlySet<string>;
  country: CountryCode;
  /** Whether the line is about a social security number. */
  isSsnExpected: boolean;
}

/** Fewer digits than in any of the numbers that are looked for. */
const MIN_DIGITS = 7;

/** Secrets in a line, without overlaps: those that overlap are one, of the kind that is looked for first. */
export function findIn({ text, atoms, runs }: Line, { kinds, country, isSsnExpected }: Search): Span[] {
  const spans: Span[] = [];
  const add = (kind: Span['kind'], places: Place[]) => {
    if (kinds.has(kind)) for (const { from, to } of places) coverSpan(spans, { kind, from, to });
  };
  if (kinds.has('email')) add('email', emailsIn(atoms));
  const digits = runs.reduce((sum, run) => sum + run.digits.length, 0);
  if (digits < MIN_DIGITS) return spans;
  if (kinds.has('iban')) add('iban', ibansIn(atoms));
  if (kinds.has('ssn')) add('ssn', germanSsnsIn(atoms));
  if (kinds.has('card')) for (const run of runs) add('card', cardsIn(run));
  for (const run of [...runs, ...partsOf(atoms, runs)]) {
    if (run.digits.length < MIN_DIGITS) continue;
    if (kinds.has('ssn')) add('ssn', ssnsIn(run, isSsnExpected));
    if (kinds.has('phone')) add('phone', phonesIn(atoms, run, text, country));
  }
  return spans;
}

/** Adds a span unless it overlaps one that is there. */
export function addSpan(spans: Span[], span: Span): void {
  if (!spans.some((one) => isOverlap(one, span))) spans.push(span);
}

/** Adds a span, or extends the one that it overlaps: two phone numbers beside each other contain cards by chance. */
function coverSpan(spans: Span[], span: Span): void {
  const overlaps = spans.filter((one) => isOverlap(one, span));
  const [first, ...others] = overlaps;
  if (!first) {
    spans.push(span);
    return;
  }
  first.from = Math.min(span.from, ...overlaps.map(({ from }) => from));
  first.to = Math.max(span.to, ...overlaps.map(({ to }) => to));
  for (const other of others) spans.splice(spans.indexOf(other), 1);
}

const isOverlap = (one: Span, other: Span): boolean => one.from < other.to && other.from < one.to;
