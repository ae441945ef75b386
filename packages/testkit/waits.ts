import { soundsIn } from './sounds.ts';
import type { Recording } from './speaker.ts';

/** Longer than the pauses in a sentence, shorter than any answer takes. */
const SENTENCE_PAUSE_MS = 450;

/** Longer than an agent that reads a list pauses. */
const SILENCE_MS = 1_000;

/** A wait for an answer, as recorded. */
export interface Wait {
  /** When the caller's last sound ended, in milliseconds since 1970. */
  end: number;
  /** Milliseconds from then to the agent's first sound. */
  ms: number;
}

/** How long the caller waited after each sentence that was answered, by the loudness of both sides. */
export function waitsIn({ start, rate, said, heard }: Recording): Wait[] {
  const answers = soundsIn(heard, rate);
  return soundsIn(said, rate, SENTENCE_PAUSE_MS).flatMap(({ end }, index, sentences) => {
    const next = sentences[index + 1]?.begin ?? Number.POSITIVE_INFINITY;
    const answer = answers.find(({ begin }) => begin > end && begin < next);
    return answer ? [{ end: start + end, ms: answer.begin - end }] : [];
  });
}

/** Milliseconds for which the agent spoke on after the caller began the last sentence, up to its end. */
export function spokenOnIn({ rate, said, heard }: Recording): number {
  const interruption = soundsIn(said, rate, SENTENCE_PAUSE_MS).at(-1);
  // The answer comes after the sentence.
  const during = heard.subarray(0, ((interruption?.end ?? 0) * rate) / 1000);
  const spoken = interruption && soundsIn(during, rate, SILENCE_MS).find(({ end }) => end > interruption.begin);
  return spoken && spoken.begin < interruption.begin ? spoken.end - interruption.begin : Number.NaN;
}
