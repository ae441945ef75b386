import type { Part } from './mixer.ts';

/** Pause after which speech is another turn, for a recognizer that does not say when it heard the end. */
const TURN_MS = 700;
/** Speech may have begun this long before it was noticed, and go on after its end. */
export const [BEFORE_MS, AFTER_MS] = [1_000, 500];
/** Lines that are remembered. */
const MAX_COVERED = 100;

/** Speech of one side without a pause. */
export interface Utterance {
  from: number;
  /** When its beginning was noticed, and its end, which is null while it goes on. */
  noticed: number;
  to: number | null;
  /** Only its words show that there is any. */
  isUnnoticed?: true;
}

/** A time whose words are in a line, and when they were known. */
interface CoveredTime {
  after: number;
  until: number;
  came: number;
}

export type Speech = ReturnType<typeof createSpeech>;

/** Follows the speech of one side, and the lines with its words. Its end is noticed up to `late_ms` after it. */
export function createSpeech(late_ms: number) {
  let utterances: Utterance[] = [];
  let covered: (CoveredTime & { at: number })[] = [];
  let coveredUntil = Number.NEGATIVE_INFINITY;
  const hasWordsOf = ({ after, until }: Pick<CoveredTime, 'after' | 'until'>, to: number) =>
    to > after + late_ms && to <= until + late_ms;

  /** Whether words are surely those of an utterance, rather than of one shortly before it. */
  function isOwn(one: CoveredTime, { to }: Utterance): boolean {
    if (to === null || to > one.came || !hasWordsOf(one, to)) return false;
    const ends = utterances.flatMap((other) => (other.to !== null && hasWordsOf(one, other.to) ? [other] : []));
    if (one.until < one.came) {
      const distances = ends.map((other) => Math.abs((other.to ?? 0) - one.until));
      return to <= one.until || Math.abs(to - one.until) <= Math.min(...distances);
    }
    // It may have taken any time to recognize: its words are those of the first turn.
    const next = ends.findIndex(({ noticed }, index) => noticed - (ends[index - 1]?.to ?? noticed) > TURN_MS);
    return ends.slice(0, next < 0 ? ends.length : next).some((other) => other.to === to);
  }

  return {
    change(is: boolean, at: number): void {
      const last = utterances.at(-1);
      const isOpen = last !== undefined && last.to === null;
      if (is && !isOpen) utterances.push({ from: at - BEFORE_MS, noticed: at, to: null });
      // Somebody else of the same side, whose sound is detected later.
      if (is && isOpen) last.from = Math.min(last.from, at - BEFORE_MS);
      if (!is && isOpen) last.to = at;
    },
    /** Somebody speaks whom the detector does not hear: since `from` at the earliest, and until `to` at least. */
    add(from: number, to: number): void {
      utterances.push({ from, noticed: to, to, isUnnoticed: true });
    },
    /** The last utterance, if the detector did not hear it. */
    unnoticed(): Utterance | null {
      const last = utterances.at(-1);
      return last?.isUnnoticed ? last : null;
    },
    /** When that side has stopped to speak; null while it speaks. */
    endedAt: (): number | null => utterances.at(-1)?.to ?? null,
    hasWordsOf,
    /** A line has the words of these times; returns the utterances that it may be about. */
    cover(times: readonly CoveredTime[], at: number): Utterance[] {
      const begin = times[0]?.after ?? coveredUntil;
      const end = times.at(-1)?.until ?? Number.POSITIVE_INFINITY;
      for (const { after, until, came } of times) covered.push({ after, until, came, at });
      covered = covered.slice(-MAX_COVERED);
      coveredUntil = Math.max(coveredUntil, ...times.map(({ until }) => until));
      return utterances.filter(({ from, to }) => (to === null || to > begin + late_ms) && from < end);
    },
    /** Utterances whose words may still come. */
    waiting: (at: number, settle_ms: number): Utterance[] =>
      utterances.filter(
        ({ to }) => to === null || !covered.some((one) => hasWordsOf(one, to) && at - one.at >= settle_ms),
      ),
    /** Utterances that have no words of their own, when no more will come. */
    withoutOwn: (): Utterance[] => utterances.filter((utterance) => !covered.some((one) => isOwn(one, utterance))),
    /** All of some utterances, up to now of one that goes on; of none, everything that there is. */
    wholeOf(some: readonly Utterance[], at: number): Part[] {
      if (some.length === 0) return [{ from_ms: Number.NEGATIVE_INFINITY, to_ms: at + AFTER_MS }];
      return some.map(({ from, to }) => ({ from_ms: from, to_ms: (to ?? at) + AFTER_MS }));
    },
    forget: (one: Utterance): void => {
      utterances = utterances.filter((other) => other !== one);
    },
    forgetBefore: (time: number): void => {
      utterances = utterances.filter(({ to }) => to === null || to + AFTER_MS > time);
    },
  };
}
