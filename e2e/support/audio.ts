import { spawnSync } from 'node:child_process';
import { createRequire } from 'node:module';
import path from 'node:path';
import { WORKER_DIR } from '@switchboard/testkit/worker.ts';

/** Samples a second of decoded recordings. */
export const RATE = 24_000;

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
