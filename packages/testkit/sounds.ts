/** Louder than the noise of any codec, and quieter than the first and last sounds of a word. */
const AUDIBLE = 150;
const FRAME_MS = 10;
/** Shorter pauses are between words. */
const PAUSE_MS = 400;

/** A sound, in milliseconds after the beginning of the samples. */
export interface Sound {
  begin: number;
  end: number;
}

/** Audible parts of the samples, without the silence before, between and after. */
export function soundsIn(samples: Int16Array, rate: number, pauseMs = PAUSE_MS): Sound[] {
  const frame = (rate * FRAME_MS) / 1000;
  const sounds: Sound[] = [];
  for (let index = 0; index * frame < samples.length; index++) {
    const some = samples.subarray(index * frame, (index + 1) * frame);
    const loudness = Math.sqrt(some.reduce((sum, sample) => sum + sample * sample, 0) / some.length);
    if (loudness < AUDIBLE) continue;
    const [begin, end] = [index * FRAME_MS, (index + 1) * FRAME_MS];
    const last = sounds.at(-1);
    if (last && begin - last.end < pauseMs) last.end = end;
    else sounds.push({ begin, end });
  }
  return sounds;
}
