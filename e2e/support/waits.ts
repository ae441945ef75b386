import { median } from '@switchboard/testkit/median.ts';
import type { Recording } from '@switchboard/testkit/speaker.ts';
import { waitsIn } from '@switchboard/testkit/waits.ts';

/** A turn of `GET /api/sessions/{id}/turns`. */
interface Turn {
  end_of_speech_at: string;
  first_audio_ms: number | null;
}

/** How much longer the caller waited than each turn reports, in milliseconds, with the median of it. */
export function compareWaits(recording: Recording, turns: readonly Turn[]) {
  const waits = waitsIn(recording);
  const hidden = turns.map(({ first_audio_ms }, index) => (waits[index]?.ms ?? Number.NaN) - (first_audio_ms ?? 0));
  const late = turns.map((turn, index) => Date.parse(turn.end_of_speech_at) - (waits[index]?.end ?? Number.NaN));
  return { waits: waits.map(({ ms }) => ms), hidden, median: median(hidden), late };
}
