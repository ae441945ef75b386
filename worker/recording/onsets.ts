import { createBlocks } from './blocks.ts';
import type { Side } from './mixer.ts';

/** Blocks that are loud or not. */
const BLOCK_MS = 20;
/** Time that is remembered, for a line that comes long after it began. */
const KEPT = 180_000 / BLOCK_MS;
/** Sound begins this long before or after the time that is known of it, at most. */
const AROUND = 1_000 / BLOCK_MS;
/** Silence before a beginning. */
const SILENCE = 160 / BLOCK_MS;
/** Blocks below this share of the loudest one around them are silence, and those below the floor always (16 bits). */
const [SILENT, FLOOR] = [0.05, 60];

/** Finds where sound begins in a recording whose samples it is given. */
export function createOnsets(channels: 'stereo' | 'mono') {
  const width = channels === 'stereo' ? 2 : 1;
  const sides = Array.from({ length: width }, () => new Float32Array(KEPT));
  let blocks = 0;
  const { add } = createBlocks(channels, BLOCK_MS, (loudness) => {
    for (const [side, kept] of sides.entries()) kept[blocks % KEPT] = loudness[side] ?? 0;
    blocks++;
  });

  return {
    add,
    /** The beginning of sound of one side that is nearest to a time; that time, if there is none. */
    nearest(side: Side, ms: number): number {
      const loudness = sides[width === 2 && side === 'others' ? 1 : 0] ?? new Float32Array(0);
      const at = Math.round(ms / BLOCK_MS);
      const from = Math.max(at - AROUND, blocks - KEPT, 0);
      const around = Array.from(
        { length: Math.max(0, Math.min(at + AROUND, blocks) - from) },
        (_, index) => loudness[(from + index) % KEPT] ?? 0,
      );
      const begins = beginningsIn(around).map((index) => (from + index) * BLOCK_MS);
      return begins.toSorted((one, other) => Math.abs(one - ms) - Math.abs(other - ms))[0] ?? ms;
    },
  };
}

/** Loud blocks after silent ones. */
function beginningsIn(loudness: readonly number[]): number[] {
  const threshold = Math.max(FLOOR, SILENT * Math.max(0, ...loudness));
  return loudness.flatMap((loud, index) => {
    const before = loudness.slice(Math.max(0, index - SILENCE), index);
    return loud >= threshold && index > 0 && before.every((one) => one < threshold) ? [index] : [];
  });
}
