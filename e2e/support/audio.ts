import { spawnSync } from 'node:child_process';
import { createRequire } from 'node:module';
import path from 'node:path';
import { WORKER_DIR } from '@switchboard/testkit/worker.ts';

/** Samples a second of decoded recordings. */
export const RATE = 24_000;
/** The length of the blocks whose loudness is compared. */
export const BLOCK_MS = 20;

/** The samples of both sides of a recording: the agent is left. */
export function decode(ogg: Buffer): { left: Int16Array; right: Int16Array } {
  // The worker has it, which tests install when they run.
  const { getFfmpegPath } = createRequire(path.join(WORKER_DIR, 'package.json'))('@livekit/av');
  const args = ['-loglevel', 'error', '-i', 'pipe:0', '-ar', String(RATE), '-f', 's16le', 'pipe:1'];
  const { stdout } = spawnSync(getFfmpegPath(), args, { input: ogg, maxBuffer: 1 << 30 });
  const all = new Int16Array(stdout.buffer, stdout.byteOffset, stdout.length / 2);
  return {
    left: all.filter((_, index) => index % 2 === 0),
    right: all.filter((_, index) => index % 2 === 1),
  };
}

/** Loudness in blocks of so many milliseconds. */
export function loudnessOf(samples: Int16Array, block_ms = BLOCK_MS): number[] {
  const size = (RATE * block_ms) / 1000;
  return Array.from({ length: Math.floor(samples.length / size) }, (_, block) =>
    Math.sqrt(samples.subarray(block * size, (block + 1) * size).reduce((sum, one) => sum + one * one, 0) / size),
  );
}

/** When sound begins, in milliseconds: each time after 400 ms that are quiet. */
export function onsetsIn(samples: Int16Array): number[] {
  const loudness = loudnessOf(samples, 10);
  const quiet = Math.max(...loudness) / 20;
  return loudness.flatMap((loud, block) =>
    loud >= quiet && loudness.slice(Math.max(0, block - 40), block).every((one) => one < quiet) ? [block * 10] : [],
  );
}

/** The best correlation of two lists for shifts of `b` up to so many blocks, and the shift. */
export function correlate(a: number[], b: number[], most: number): { share: number; shift: number } {
  let best = { share: 0, shift: 0 };
  for (let shift = -most; shift <= most; shift++) {
    let [product, ofA, ofB] = [0, 0, 0];
    for (const [index, one] of a.entries()) {
      const other = b[index + shift] ?? 0;
      product += one * other;
      ofA += one * one;
      ofB += other * other;
    }
    const share = product / Math.sqrt(ofA * ofB || 1);
    if (share > best.share) best = { share, shift };
  }
  return best;
}
