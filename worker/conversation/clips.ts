/** Sounds beside the agent's words: those that come with the library, and files in a folder of the operator. */
import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';
import { voice } from '@livekit/agents';
import { AudioFrame } from '@livekit/rtc-node';
import { FFMPEG } from '../recording/encoder.ts';
import type { SoundConfig } from './config.ts';

/** The rest of a longer file is not played: a call has all of a sound in memory, 6 MB a minute at 48 kHz. */
const LONGEST_S = 180;
const FRAME_MS = 100;
const DECODE_MS = 5_000;

const { OFFICE_AMBIENCE, KEYBOARD_TYPING, HOLD_MUSIC } = voice.BuiltinAudioClip;
/** The library's files by name, and what makes them right beside a voice: the office has -55 dBFS, the music -19. */
const BUILT_IN = new Map([
  ['office', { file: OFFICE_AMBIENCE, gain: 6 }],
  ['keyboard', { file: KEYBOARD_TYPING, gain: 0.5 }],
  ['music', { file: HOLD_MUSIC, gain: 0.35 }],
]);

/** A sound that is played again and again. */
export interface Clip {
  /** Whether there is anything to play, once that is known. */
  loaded: Promise<boolean>;
  /** Plays it from its beginning, without end; silence until it is loaded, and if it cannot be. */
  play(): AsyncGenerator<AudioFrame, never>;
}

export type OpenClip = (sound: SoundConfig, rate: number) => Clip;
type Log = Record<'warn', (about: object, text: string) => void>;

/** Opens sounds; `dir` is the operator's folder. One that cannot be played is logged, and the call goes on. */
export function createClips(dir: string | null, log: Log): OpenClip {
  return (sound, rate) => {
    const size = (rate * FRAME_MS) / 1000;
    let frames: AudioFrame[] = [new AudioFrame(new Int16Array(size), rate, 1, size)];
    const loaded = load(sound, dir, rate).then(
      (samples) => {
        frames = cut(samples, rate, size);
        return true;
      },
      (error: unknown) => {
        log.warn({ error, sound: sound.name }, 'a sound cannot be played');
        return false;
      },
    );
    async function* play(): AsyncGenerator<AudioFrame, never> {
      for (;;) for (const frame of frames) yield frame;
    }
    return { loaded, play };
  };
}

/** The samples of a sound, at its loudness. The library would read a file without any of them for ever. */
async function load({ name, volume }: SoundConfig, dir: string | null, rate: number): Promise<Int16Array> {
  const builtIn = BUILT_IN.get(name);
  const gain = volume * (builtIn?.gain ?? 1);
  const input = ['-t', String(LONGEST_S), '-i', builtIn ? voice.getBuiltinAudioPath(builtIn.file) : fileOf(name, dir)];
  const output = ['-ar', String(rate), '-ac', '1', '-f', 's16le', 'pipe:1'];
  const { stdout } = await promisify(execFile)(FFMPEG, ['-hide_banner', '-loglevel', 'error', ...input, ...output], {
    encoding: 'buffer',
    maxBuffer: (LONGEST_S + 1) * rate * 2,
    timeout: DECODE_MS,
  });
  const samples = new Int16Array(stdout.buffer, stdout.byteOffset, stdout.length >> 1);
  if (samples.length === 0) throw new Error('it has no sound');
  return samples.map((sample) => Math.max(-32_768, Math.min(32_767, sample * gain)));
}

/** The path of `file:` and a name without folders. Throws for anything else, and without a folder. */
function fileOf(name: string, dir: string | null): string {
  const [, file] = /^file:([\w-][\w.-]*)$/.exec(name) ?? [];
  if (!file) throw new Error('no sound has this name');
  if (dir === null) throw new Error('SOUNDS_DIR is not set');
  return path.join(dir, file);
}

/** Frames with a buffer of their own each: the media library passes on whole buffers. */
function cut(samples: Int16Array, rate: number, size: number): AudioFrame[] {
  return Array.from({ length: Math.ceil(samples.length / size) }, (_, index) => {
    const part = samples.slice(index * size, (index + 1) * size);
    return new AudioFrame(part, rate, 1, part.length);
  });
}
