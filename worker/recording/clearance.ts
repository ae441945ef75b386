/**
 * Which sound of a call may leave this process, if its agent redacts: nothing of what somebody says before the line
 * with the words is redacted. Times are milliseconds of one clock.
 */
import type { Part, Side } from './mixer.ts';
import { createSpeech } from './speech.ts';
import { partsOf, type Recognized, type Secret } from './timed-words.ts';

/** Sound that is held back in any case: speech is noticed after it has begun. */
const NOTICED_MS = 2_000;
/** Speech that has no line by then is silenced. */
const NO_LINE_MS = 10_000;
/** Sound that is kept at most; older sound is silenced if it is not cleared. */
const LONGEST_MS = 90_000;
const SIDES = ['agent', 'others'] as const;

/** Words of what was said after the ones before. */
export interface Final extends Recognized {
  after: number;
}

/** A part of the sound of one side. */
export type Silenced = Part & { side: Side };

export type Clearance = ReturnType<typeof createClearance>;

/** `settle_ms` after a line, no other line has words of the same speech. */
export function createClearance(settle_ms = 2_000, now: () => number = () => performance.now()) {
  const speech = { agent: createSpeech(200), others: createSpeech(500) };
  const finals = createFinals();
  let silenced: Silenced[] = [];
  let released = Number.NEGATIVE_INFINITY;
  let playedUntil = Number.NEGATIVE_INFINITY;

  function silence(side: Side, { from_ms, to_ms }: Part): void {
    const from = Math.max(from_ms, released);
    if (to_ms > from) silenced.push({ side, from_ms: from, to_ms });
  }

  /** A line was reported, with secrets at these places of it. */
  function told(side: Side, text: string, secrets: readonly Secret[]): void {
    const at = now();
    // The agent's line comes when its words have been played.
    const covered = side === 'agent' ? [{ text, words: [], after: playedUntil, until: at }] : finals.take(text);
    if (side === 'agent') playedUntil = at;
    const utterances = speech[side].tell(covered, at);
    if (secrets.length === 0) return;
    for (const part of partsOf({ text, secrets, covered, utterances }) ?? speech[side].wholeOf(utterances, at))
      silence(side, part);
  }

  function recognized(one: Recognized): void {
    const final = finals.add(one);
    // Sound without words: no line comes of it.
    if (one.text.trim() === '') speech.others.tell([final], now());
  }

  /** Until when one side may leave. Silences what waits for too long, and what waits from before `forced`. */
  function limitOf(side: Side, forced: number, settled_ms: number): number {
    let limit = Number.POSITIVE_INFINITY;
    for (const one of speech[side].waiting(now(), settled_ms)) {
      const [whole] = speech[side].wholeOf([one], now());
      if (whole && one.to !== null && now() - one.to > NO_LINE_MS) {
        silence(side, whole);
        speech[side].forget(one);
        continue;
      }
      limit = Math.min(limit, one.from);
      if (whole && one.from < forced) silence(side, { ...whole, to_ms: Math.min(whole.to_ms, forced) });
    }
    return limit;
  }

  return {
    /** Somebody of that side has begun to speak, or has stopped. */
    speaks: (side: Side, is: boolean): void => speech[side].change(is, now()),
    /** A recognizer has understood something of the others; its line comes later. */
    recognized,
    told,
    /** Until when everything may leave; `known` is the time until which it is known who speaks. */
    limit(known: number): number {
      const forced = now() - LONGEST_MS;
      released = Math.max(
        released,
        forced,
        Math.min(known - NOTICED_MS, ...SIDES.map((side) => limitOf(side, forced, settle_ms))),
      );
      for (const side of SIDES) speech[side].forgetBefore(released);
      return released;
    },
    /** The same at the end: whatever still waits for its line is silenced. */
    limitAtEnd(): number {
      for (const side of SIDES) limitOf(side, now(), 0);
      released = now();
      return released;
    },
    silenced: (): readonly Silenced[] => silenced,
    forgetSilenced: (before: number): void => {
      silenced = silenced.filter(({ to_ms }) => to_ms > before);
    },
  };
}

/** Keeps what was recognized and is in no line yet. */
function createFinals() {
  let waiting: Final[] = [];
  let after = Number.NEGATIVE_INFINITY;
  return {
    add(one: Recognized): Final {
      const final = { ...one, after };
      after = Math.max(after, one.until);
      if (plain(one.text) !== '') waiting.push(final);
      return final;
    },
    /** Those whose words are a line; forgets them, and the ones before, which are in no line. */
    take(text: string): Final[] {
      const covered: Final[] = [];
      let left = plain(text);
      for (const final of waiting) {
        if (!left.startsWith(plain(final.text))) continue;
        covered.push(final);
        left = left.slice(plain(final.text).length);
      }
      const last = covered.at(-1);
      waiting = last ? waiting.slice(waiting.indexOf(last) + 1) : waiting;
      return covered;
    },
  };
}

const plain = (text: string) => text.replace(/\s+/g, '');
