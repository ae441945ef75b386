import type { CustomPattern } from './patterns.ts';

export const KINDS = ['card', 'iban', 'ssn', 'email', 'phone'] as const;
export type Kind = (typeof KINDS)[number];

/** Secrets to look for. */
export interface Rules {
  kinds: readonly Kind[];
  /** Valid ones: `patternProblem` says which are not. */
  custom?: readonly CustomPattern[];
  /** A BCP 47 tag, whose country decides how phone numbers without a prefix are read. */
  language?: string | null | undefined;
}

/** A secret in a text: where it was, in UTF-16 units before the replacement; `to` is exclusive. */
export interface Span {
  /** One of `KINDS`, or the name of a pattern. */
  kind: string;
  from: number;
  to: number;
}

export interface Redacted {
  text: string;
  /** In order; they do not overlap. */
  spans: Span[];
}
