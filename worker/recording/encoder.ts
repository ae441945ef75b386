import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Writable } from 'node:stream';
import { getFfmpegPath } from '@livekit/av';
import { RATE } from './mixer.ts';

/** Bits a second. Speech of both sides is clear at this rate; ten minutes take 3 MB. */
const BITS = { stereo: '40k', mono: '24k' };
/** The least effort: at this rate speech is as close to the original as with the most, for 40 % of the time. */
const COMPLEXITY = '0';
/** Sound of one page in microseconds. A page is written when the next one begins, so that a short one is late less. */
const PAGE_US = '200000';
/** Sound that the encoder may be behind for long. A speech that was held back comes at once, and is more. */
const MAX_BEHIND_BYTES = 4 * 1024 * 1024;
/** Further behind for this long, the machine cannot follow, and memory would grow. */
const MAX_BEHIND_MS = 30_000;
/** Sound that is in the pipe at once: a second in stereo. */
const PIECE_BYTES = 2 * 2 * RATE;
/** An encoder that is ending and has written nothing for this long has failed. */
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
  behind_ms = MAX_BEHIND_MS,
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
  const feed = createFeed(child.stdin);
  const fail = (error: Error) => {
    if (ending) return;
    ending = true;
    child.kill('SIGKILL');
    onFailure(error);
  };
  const closed: Promise<unknown[]> = once(child, 'close').catch(() => []);
  child.stdout.on('data', onData);
  child.stdin.on('error', fail);
  child.on('error', fail);
  child.on('close', (code) => fail(new Error(`the encoder has ended with ${code}`)));
  return {
    pid: child.pid,
    write(samples: Int16Array): void {
      if (ending || samples.length === 0) return;
      feed.add(Buffer.from(samples.buffer, samples.byteOffset, samples.byteLength));
      if (feed.behindMs() > behind_ms) fail(new Error('the encoder is too slow'));
    },
    /** Resolves when everything that was written is encoded, however long that takes while it goes on. */
    async end(): Promise<void> {
      if (!ending) feed.end();
      const wasEnding = ending;
      ending = true;
      const late = setTimeout(() => child.kill('SIGKILL'), CLOSE_MS);
      child.stdout.on('data', () => late.refresh());
      const [code, signal] = await closed;
      clearTimeout(late);
      if (!wasEnding && code !== 0) onFailure(new Error(`the encoder has ended with ${code ?? signal} before its end`));
    },
  };
}

/** Writes to a pipe as it drains, in pieces. */
function createFeed(pipe: Writable) {
  let waiting: Buffer[] = [];
  let bytes = 0;
  let isFull = false;
  let isEnding = false;
  let behindSince: number | null = null;

  function next(): void {
    while (!isFull && waiting.length > 0) {
      const [first = Buffer.alloc(0), ...others] = waiting;
      const piece = first.subarray(0, PIECE_BYTES);
      waiting = piece.length < first.length ? [first.subarray(PIECE_BYTES), ...others] : others;
      bytes -= piece.length;
      isFull = !pipe.write(piece);
    }
    if (bytes <= MAX_BEHIND_BYTES) behindSince = null;
    if (isEnding && waiting.length === 0) pipe.end();
  }
  pipe.on('drain', () => {
    isFull = false;
    next();
  });

  return {
    add(buffer: Buffer): void {
      waiting.push(buffer);
      bytes += buffer.length;
      if (bytes > MAX_BEHIND_BYTES) behindSince ??= performance.now();
      next();
    },
    /** Ends the pipe after everything that waits. */
    end(): void {
      isEnding = true;
      next();
    },
    /** For how long more has waited than may. */
    behindMs: (): number => (behindSince === null ? 0 : performance.now() - behindSince),
  };
}
