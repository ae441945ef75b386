import { samplesIn } from './mixer.ts';

/** Measures samples, interleaved, as they are made: `each` gets the loudness (RMS) of every side in each block. */
export function createBlocks(channels: 'stereo' | 'mono', block_ms: number, each: (loudness: number[]) => void) {
  const [width, size] = [channels === 'stereo' ? 2 : 1, samplesIn(block_ms)];
  const sums = new Float64Array(width);
  let count = 0;

  function close(): void {
    each(Array.from(sums, (sum) => Math.sqrt(sum / size)));
    sums.fill(0);
    count = 0;
  }

  return {
    add(samples: Int16Array): void {
      for (let at = 0; at < samples.length; at += width) {
        for (let side = 0; side < width; side++) sums[side] = (sums[side] ?? 0) + (samples[at + side] ?? 0) ** 2;
        if (++count === size) close();
      }
    },
  };
}
