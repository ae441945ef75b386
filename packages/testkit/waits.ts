import { soundsIn } from './sounds.ts';
import type { Recording } from './speaker.ts';

/** Longer than the pauses in a sentence, shorter than any answer takes. */
const SENTENCE_PAUSE_MS = 450;

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
