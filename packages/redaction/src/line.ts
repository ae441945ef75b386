import type { CountryCode } from 'libphonenumber-js/max';
import type { Atom } from './atoms.ts';
import { cardsIn, type Place } from './cards.ts';
import { emailsIn } from './emails.ts';
import { ibansIn } from './ibans.ts';
import { phonesIn } from './phones.ts';
import type { Run } from './runs.ts';
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

/** Secrets in a line, without overlaps: of two that overlap, the kind that is looked for first counts. */
export function findIn({ text, atoms, runs }: Line, { kinds, country, isSsnExpected }: Search): Span[] {
  const spans: Span[] = [];
  const add = (kind: Span['kind'], places: Place[]) => {
    if (kinds.has(kind)) for (const { from, to } of places) addSpan(spans, { kind, from, to });
  };
  if (kinds.has('email')) add('email', emailsIn(atoms));
  const digits = runs.reduce((sum, run) => sum + run.digits.length, 0);
  if (digits < MIN_DIGITS) return spans;
  if (kinds.has('iban')) add('iban', ibansIn(atoms));
  if (kinds.has('ssn')) add('ssn', germanSsnsIn(atoms));
  for (const run of runs) {
    if (kinds.has('card')) add('card', cardsIn(run));
    if (kinds.has('ssn')) add('ssn', ssnsIn(run, isSsnExpected));
  }
  if (kinds.has('phone')) add('phone', phonesIn(atoms, runs, text, country));
  return spans;
}

/** Adds a span unless it overlaps one that is there. */
export function addSpan(spans: Span[], span: Span): void {
  if (!spans.some(({ from, to }) => span.from < to && from < span.to)) spans.push(span);
}
