/**
 * Decides which sound of a call may leave this process, if its agent redacts: nothing of what somebody says before the
 * line with the words is redacted. Times are milliseconds of one clock.
 */
import type { Part, Side } from './mixer.ts';
import { AFTER_MS, BEFORE_MS, createSpeech, type Speech, type Utterance } from './speech.ts';
import { partsOf, type Recognized, type Secret } from './timed-words.ts';

/** Sound that is held back in any case: speech is noticed after it has begun. */
const NOTICED_MS = 2_000;
/** Sound that may still be here, of somebody whom the detector does not hear. */
const STILL_HERE_MS = NOTICED_MS + 500;
/** Speech without a line is silenced after so much quiet of its side, unless it was recognized. */
const NO_LINE_MS = 10_000;
/** Sound that is kept at most; older sound is silenced if it is not cleared. */
const LONGEST_MS = 90_000;
/** Finals without a line that are remembered. */
const MAX_FINALS = 100;
const SIDES = ['agent', 'others'] as const;

/** Words of what was said after the ones before, and when they were known. */
export interface Final extends Recognized {
  after: number;
  came: number;
}

/** A part of the sound of one side. */
export type Silenced = Part & { side: Side };

export type Clearance = ReturnType<typeof createClearance>;

/** `settle_ms` after a line, no other line has words of the same speech. */
export function createClearance(settle_ms = 2_000, now: () => number = () => performance.now()) {
  const speech = { agent: createSpeech(200), others: createSpeech(500) };
  const finals = createFinals(now);
  let silenced: Silenced[] = [];
  let released = Number.NEGATIVE_INFINITY;
  /** Up to when the others were heard by their detector. */
  let heardUntil = Number.POSITIVE_INFINITY;
  let playedUntil = Number.NEGATIVE_INFINITY;
  const speeches = createSpeeches(now);

  function silence(side: Side, { from_ms, to_ms }: Part): void {
    const from = Math.max(from_ms, released);
    if (to_ms > from) silenced.push({ side, from_ms: from, to_ms });
  }

  /** A line was reported, with secrets at these places of it. */
  function onTranscript(side: Side, text: string, secrets: readonly Secret[]): void {
    const at = now();
    // The agent's line comes when its words have been played.
    const covered =
      side === 'agent' ? [{ text, words: [], after: playedUntil, until: at, came: at }] : finals.take(text);
    if (side === 'agent') playedUntil = at;
    const utterances = speech[side].cover(covered, at);
    if (secrets.length === 0) return;
    const parts = secretParts(side, speech[side], { text, secrets, covered, utterances }, at);
    const isHeard = side === 'agent' || heardUntil >= (covered.at(-1)?.until ?? at);
    // Some of the words may be in speech that the detector notices later.
    if (!isHeard) parts.push({ from_ms: heardUntil - BEFORE_MS, to_ms: at + AFTER_MS });
    for (const part of parts) silence(side, part);
  }

  function recognized(one: Recognized): void {
    const isEmpty = one.text.trim() === '';
    if (!isEmpty) heard(one.until);
    const final = finals.add(one);
    // Sound without words: no line comes of it.
    if (isEmpty) speech.others.cover([final], now());
  }

  /** There are words of the others, said until then at the latest, whether the detector hears them or not. */
  function heard(until: number): void {
    const unnoticed = speech.others.unnoticed();
    const [from, isExpected] = [now() - STILL_HERE_MS, speech.others.waiting(now(), 0).length > 0];
    if (isExpected && unnoticed) unnoticed.to = Math.max(until, unnoticed.from);
    if (!isExpected && until > from) speech.others.add(from, until);
  }

  const isRecognized = (side: Side, { to }: Utterance): boolean =>
    side === 'others' && to !== null && finals.some((final) => speech.others.hasWordsOf(final, to));

  /** Until when one side may leave. Silences what waits for too long, and what waits from before `forced`. */
  function limitOf(side: Side, forced: number, utterances: readonly Utterance[]): number {
    let limit = Number.POSITIVE_INFINITY;
    const since = latest(speech[side].endedAt(), side === 'agent' ? speeches.closedAt() : Number.NEGATIVE_INFINITY);
    const isLate = since !== null && now() - since > NO_LINE_MS;
    const withoutLine = speech[side].waiting(now(), 0).filter((one) => !isRecognized(side, one));
    for (const one of utterances) {
      const [whole] = speech[side].wholeOf([one], now());
      if (whole && isLate && withoutLine.includes(one)) {
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
    speaks: (side: Side, is: boolean, at = now()): void => speech[side].change(is, at),
    /** A recognizer has begun to understand something of the others. */
    heard: (): void => heard(now()),
    /** The agent begins to say something, until the returned function is called. */
    opens: speeches.opens,
    /** A recognizer has understood something of the others; its line comes later. */
    recognized,
    onTranscript,
    /** The agent has given up a speech before its first word, so that a line may not come of what was heard. */
    givesUp(): void {
      const at = now();
      const [first] = speech.agent.waiting(at, 0);
      const from_ms = Math.max(Math.min(first?.from ?? at, at - BEFORE_MS), playedUntil);
      silence('agent', { from_ms, to_ms: at + AFTER_MS });
    },
    /**
     * Until when everything may leave. `known` is the time until which it is known who speaks, and `others` the one
     * until which their detector has heard them.
     */
    limit(known: number, others: number): number {
      const forced = now() - LONGEST_MS;
      heardUntil = others;
      // Nobody knows whether they spoke.
      if (heardUntil < forced) silence('others', { from_ms: heardUntil - NOTICED_MS, to_ms: forced });
      released = Math.max(
        released,
        forced,
        Math.min(
          Math.min(known, heardUntil) - NOTICED_MS,
          ...SIDES.map((side) => limitOf(side, forced, speech[side].waiting(now(), settle_ms))),
        ),
      );
      for (const side of SIDES) speech[side].forgetBefore(released);
      return released;
    },
    /** The same at the end: whatever still waits for its line is silenced. */
    limitAtEnd(others: number): void {
      silence('others', { from_ms: others - NOTICED_MS, to_ms: now() });
      limitOf('agent', now(), speech.agent.waiting(now(), 0));
      limitOf('others', now(), speech.others.withoutOwn());
      released = now();
    },
    silenced: (): readonly Silenced[] => silenced,
    forgetSilenced: (before: number): void => {
      silenced = silenced.filter(({ to_ms }) => to_ms > before);
    },
  };
}

/** Where the secrets of a line that is known now were said. */
function secretParts(side: Side, speech: Speech, line: Parameters<typeof partsOf>[0], now: number): Part[] {
  const whole = speech.wholeOf(line.utterances, now);
  if (side === 'others') return partsOf(line) ?? whole;
  // The library may play a moment more of a speech that it had paused, without saying so, as it gives it up.
  return [{ from_ms: Math.min(...whole.map((one) => one.from_ms)), to_ms: now + AFTER_MS }];
}

/** The later of two times; null if either is still to come. */
const latest = (one: number | null, other: number | null) =>
  one === null || other === null ? null : Math.max(one, other);

/** Counts what the agent says: each speech has its line at its end. */
function createSpeeches(now: () => number) {
  let [open, closedAt] = [0, Number.NEGATIVE_INFINITY];
  return {
    opens(): () => void {
      open++;
      return () => {
        open--;
        closedAt = now();
      };
    },
    /** When the last one ended; null while one goes on. */
    closedAt: (): number | null => (open > 0 ? null : closedAt),
  };
}

/** Keeps what was recognized and is in no line yet. */
function createFinals(now: () => number) {
  let waiting: Final[] = [];
  let after = Number.NEGATIVE_INFINITY;

  /** The latest finals whose words are all of a line; null if there are none. */
  function runOf(line: string): Final[] | null {
    for (let end = waiting.length; end > 0; end--) {
      let left = line;
      for (let at = end - 1; at >= 0 && left !== ''; at--) {
        const words = plain(waiting[at]?.text ?? '');
        if (!left.endsWith(words)) break;
        left = left.slice(0, left.length - words.length);
        if (left === '') return waiting.slice(at, end);
      }
    }
    return null;
  }

  /** The latest ones whose words a line ends with, beside words that nobody recognized. */
  function endOf(line: string): Final[] {
    let left = line;
    const ends = waiting.toReversed().filter(({ text }) => {
      const words = plain(text);
      if (!left.endsWith(words)) return false;
      left = left.slice(0, left.length - words.length);
      return true;
    });
    return ends.toReversed();
  }

  return {
    add(one: Recognized): Final {
      const came = now();
      const final = { ...one, after, came };
      after = Math.max(after, one.until);
      waiting = waiting.filter((other) => came - other.came < LONGEST_MS).slice(1 - MAX_FINALS);
      if (plain(one.text) !== '') waiting.push(final);
      return final;
    },
    some: (is: (final: Final) => boolean): boolean => waiting.some(is),
    /** Those whose words are a line; forgets them, and the ones before, which are in no line. */
    take(text: string): Final[] {
      const covered = runOf(plain(text)) ?? endOf(plain(text));
      const last = covered.at(-1);
      waiting = last ? waiting.slice(waiting.indexOf(last) + 1) : waiting;
      return covered;
    },
  };
}

const plain = (text: string) => text.replace(/\s+/g, '');
