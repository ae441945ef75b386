import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { getFfmpegPath } from '@livekit/av';
import { createMixer, RATE } from '../recording/mixer.ts';

export const FRAME = RATE / 50;
export const constant = (value: number, samples = FRAME) => new Int16Array(samples).fill(value);

/** A mixer on a clock that the test moves, in steps of a frame. */
export function startMixer(channels: 'stereo' | 'mono' = 'stereo') {
  let now = 0;
  const mixer = createMixer(channels, () => now);
  return {
    ...mixer,
    at: (ms: number) => {
      now = ms;
    },
    /** Passes the time to `ms` while `each` is called every 20 ms. */
    until: (ms: number, each: () => void = () => {}) => {
      while (now < ms) {
        now += 20;
        each();
      }
    },
  };
}

/** The left and the right samples. */
export function split(samples: Int16Array): [Int16Array, Int16Array] {
  return [samples.filter((_, index) => index % 2 === 0), samples.filter((_, index) => index % 2 === 1)];
}

/** Samples of what was encoded, by the library's FFmpeg. */
export function decode(ogg: Buffer): Int16Array {
  const args = ['-loglevel', 'error', '-i', 'pipe:0', '-ar', String(RATE), '-f', 's16le', 'pipe:1'];
  const { stdout, stderr } = spawnSync(getFfmpegPath() ?? 'ffmpeg', args, { input: ogg, maxBuffer: 1 << 30 });
  assert.equal(stderr.toString(), '');
  return new Int16Array(stdout.buffer, stdout.byteOffset, stdout.length / 2);
}

export function tone(frequency: number, samples: number, at = 0): Int16Array {
  return Int16Array.from(
    { length: samples },
    (_, index) => 8000 * Math.sin((2 * Math.PI * frequency * (at + index)) / RATE),
  );
}
