import { median } from '@switchboard/testkit/median.ts';
import { soundsIn } from '@switchboard/testkit/sounds.ts';
import type { Recording } from '@switchboard/testkit/speaker.ts';

/** Longer than the pauses in a sentence, shorter than any answer takes. */
const SENTENCE_PAUSE_MS = 450;

/** A wait for an answer, as recorded. */
interface Wait {
  /** When the caller's last sound ended, in milliseconds since 1970. */
  end: number;
  /** Milliseconds from then to the agent's first sound. */
  ms: number;
}

/** A turn of `GET /api/sessions/{id}/turns`. */
interface Turn {
  end_of_speech_at: string;
  first_audio_ms: number | null;
}

/** How long the caller waited after each sentence that was answered, by the loudness of both sides. */
function waitsIn({ start, rate, said, heard }: Recording): Wait[] {
  const answers = soundsIn(heard, rate);
  return soundsIn(said, rate, SENTENCE_PAUSE_MS).flatMap(({ end }, index, sentences) => {
    const next = sentences[index + 1]?.begin ?? Number.POSITIVE_INFINITY;
    const answer = answers.find(({ begin }) => begin > end && begin < next);
    return answer ? [{ end: start + end, ms: answer.begin - end }] : [];
  });
}

/** How much longer the caller waited than each turn reports, in milliseconds, with the median of it. */
export function compareWaits(recording: Recording, turns: readonly Turn[]) {
  const waits = waitsIn(recording);
  const hidden = turns.map(({ first_audio_ms }, index) => (waits[index]?.ms ?? Number.NaN) - (first_audio_ms ?? 0));
  const late = turns.map((turn, index) => Date.parse(turn.end_of_speech_at) - (waits[index]?.end ?? Number.NaN));
  return { waits: waits.map(({ ms }) => ms), hidden, median: median(hidden), late };
}
