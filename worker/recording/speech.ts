import type { Part } from './mixer.ts';

/** Speech may have begun this long before it was noticed, and go on after its end. */
const [BEFORE_MS, AFTER_MS] = [1_000, 500];
/** Lines that are remembered. */
const MAX_TOLD = 100;

/** Speech of one side without a pause. */
export interface Utterance {
  from: number;
  /** When its beginning was noticed, and its end, which is null while it goes on. */
  noticed: number;
  to: number | null;
}

/** A time whose words are in a line. */
interface Told {
  after: number;
  until: number;
}

/** Follows the speech of one side, and the lines with its words. Its end is noticed up to `late_ms` after it. */
export function createSpeech(late_ms: number) {
  let utterances: Utterance[] = [];
  let told: (Told & { at: number })[] = [];
  let toldUntil = Number.NEGATIVE_INFINITY;
  const hasWordsOf = ({ after, until }: Told, to: number) => to > after + late_ms && to <= until + late_ms;

  return {
    change(is: boolean, at: number): void {
      const last = utterances.at(-1);
      const isOpen = last !== undefined && last.to === null;
      if (is && !isOpen) utterances.push({ from: at - BEFORE_MS, noticed: at, to: null });
      if (!is && isOpen) last.to = at;
    },
    /** A line has the words of these times; returns the utterances that it may be about. */
    tell(times: readonly Told[], at: number): Utterance[] {
      const begin = times[0]?.after ?? toldUntil;
      const end = times.at(-1)?.until ?? Number.POSITIVE_INFINITY;
      for (const { after, until } of times) told.push({ after, until, at });
      told = told.slice(-MAX_TOLD);
      toldUntil = Math.max(toldUntil, ...times.map(({ until }) => until));
      return utterances.filter(({ from, to }) => (to === null || to > begin + late_ms) && from < end);
    },
    /** Utterances whose words may still come. */
    waiting: (at: number, settle_ms: number): Utterance[] =>
      utterances.filter(
        ({ to }) => to === null || !told.some((one) => hasWordsOf(one, to) && at - one.at >= settle_ms),
      ),
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
