import type { KnownSuppression, NewSuppression } from './store.ts';

type Weighed = Pick<NewSuppression, 'reason'>;

/** How much a reason weighs: what a person has said comes before any list, and wanting no calls before all. */
const weightOf = ({ reason }: Weighed): number => ['wrong_number', 'asked'].indexOf(reason);
const isSaid = (one: Weighed): boolean => weightOf(one) >= 0;

/**
 * A suppression as it takes the place of an earlier one, which is in force. What a person has said stays, with its
 * evidence, and ends no sooner by one of another reason. Otherwise the later one counts.
 */
export function inPlaceOf(earlier: KnownSuppression | undefined, later: NewSuppression): NewSuppression {
  if (!earlier || !isSaid(earlier) || earlier.reason === later.reason) return later;
  const { reason, call_id, transcript_id } = weightOf(earlier) > weightOf(later) ? earlier : later;
  return { ...later, reason, call_id, transcript_id, expires_at: latest(earlier.expires_at, later.expires_at) };
}

/** The later one of two ends; null if either has none. */
function latest(one: string | null, other: string | null): string | null {
  if (one === null || other === null) return null;
  return Date.parse(one) > Date.parse(other) ? one : other;
}
