import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { getFfmpegPath } from '@livekit/av';
import { RATE } from './mixer.ts';

/** Bits a second. Speech of both sides is clear at this rate; ten minutes take 3 MB. */
const BITS = { stereo: '40k', mono: '24k' };
/** The least effort: at this rate speech is as close to the original as with the most, for 40 % of the time. */
const COMPLEXITY = '0';
/** Sound of one page in microseconds. A page is written when the next one begins, so that a short one is late less. */
const PAGE_US = '200000';
/** Sound that the encoder may be behind: beyond it the machine cannot follow, and memory would grow. */
const MAX_BEHIND_BYTES = 4 * 1024 * 1024;
const CLOSE_MS = 3_000;

/** The FFmpeg that comes with the library: it writes Opus in Ogg, and reads a few formats of sound. */
export const FFMPEG = process.env.LIVEKIT_FFMPEG_PATH || getFfmpegPath() || 'ffmpeg';

export type Encoder = ReturnType<typeof startEncoder>;

/**
 * Encodes samples to Opus in Ogg, in a process of its own, which ends with this one. `onFailure` is called once if it
 * ends by itself, or cannot follow.
 */
export function startEncoder(
  channels: 'stereo' | 'mono',
  onData: (ogg: Buffer) => void,
  onFailure: (error: Error) => void,
) {
  const input = ['-probesize', '32', '-analyzeduration', '0', '-f', 's16le'];
  const format = ['-ar', String(RATE), '-ac', channels === 'stereo' ? '2' : '1', '-i', 'pipe:0'];
  const opus = ['-c:a', 'libopus', '-application', 'voip', '-compression_level', COMPLEXITY, '-b:a', BITS[channels]];
  const ogg = ['-page_duration', PAGE_US, '-flush_packets', '1', '-f', 'ogg', 'pipe:1'];
  // In a group of its own: a signal to the worker would end it before the last words.
  const child = spawn(FFMPEG, ['-hide_banner', '-loglevel', 'error', ...input, ...format, ...opus, ...ogg], {
    detached: true,
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  let ending = false;
  const fail = (error: Error) => {
    if (ending) return;
    ending = true;
    child.kill('SIGKILL');
    onFailure(error);
  };
  const closed = once(child, 'close').catch(() => {});
  child.stdout.on('data', onData);
  child.stdin.on('error', fail);
  child.on('error', fail);
  child.on('close', (code) => fail(new Error(`the encoder has ended with ${code}`)));
  return {
    pid: child.pid,
    write(samples: Int16Array): void {
      if (ending || samples.length === 0) return;
      child.stdin.write(Buffer.from(samples.buffer, samples.byteOffset, samples.byteLength));
      if (child.stdin.writableLength > MAX_BEHIND_BYTES) fail(new Error('the encoder is too slow'));
    },
    /** Resolves when everything that was written is encoded. */
    async end(): Promise<void> {
      if (!ending) child.stdin.end();
      ending = true;
      const late = setTimeout(() => child.kill('SIGKILL'), CLOSE_MS);
      await closed;
      clearTimeout(late);
    },
  };
}
