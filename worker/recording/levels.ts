import { createBlocks } from './blocks.ts';

/** Time of one level in milliseconds (docs/recordings.md). */
export const LEVEL_MS = 100;
/** The quietest loudness that is told from silence, in decibels below full scale. */
const FLOOR_DB = -60;
const FULL = 32_768;

/** Loudness as a byte: 0 is at most -60 dBFS, 255 full scale, in equal steps of decibels. */
function levelOf(loudness: number): number {
  if (loudness === 0) return 0;
  const db = 20 * Math.log10(loudness / FULL);
  return Math.max(0, Math.min(255, Math.round((255 * (db - FLOOR_DB)) / -FLOOR_DB)));
}

export type Levels = Pick<ReturnType<typeof createLevels>, 'read' | 'forget'>;

/** Measures the samples of a recording, interleaved, as they are made. */
export function createLevels(channels: 'stereo' | 'mono') {
  const width = channels === 'stereo' ? 2 : 1;
  /** Levels from the one with the number `first`. */
  let first = 0;
  let ready: number[] = [];

  const { add } = createBlocks(channels, LEVEL_MS, (loudness) => {
    for (const one of loudness) ready.push(levelOf(one));
  });

  return {
    add,
    /** Those of the time from `from_ms` to `to_ms`, in base64. */
    read(from_ms: number, to_ms: number): string {
      return Buffer.from(ready.slice(placeOf(from_ms), placeOf(to_ms))).toString('base64');
    },
    /** Keeps none of the time before. */
    forget(before_ms: number): void {
      ready = ready.slice(placeOf(before_ms));
      first = Math.max(first, Math.floor(before_ms / LEVEL_MS));
    },
  };

  function placeOf(ms: number): number {
    return Math.max(0, Math.floor(ms / LEVEL_MS) - first) * width;
  }
}
