import { spawn, spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { readFile, rm } from 'node:fs/promises';
import type { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';

export const VOICE_MODEL = 'festival';
/** The one of Debian's English voices that the recognizer understands best: docs/speech.md. */
export const VOICE = 'cmu_us_slt_arctic_hts';
/** The sample rate that the API requires for raw speech, in Hz. */
export const PCM_RATE = 24_000;

/** Far longer than a sentence takes. */
const SENTENCE_MS = 30_000;
/** Quieter samples are silence; this many remain before the first sound. */
const [QUIET, LEAD] = [40, PCM_RATE / 50];
const PACKAGES = 'apt-get install festival festvox-us-slt-hts';

/** The program or voice that is missing on this machine, in words; null if there is none. */
export function missingFestival(): string | null {
  const { error, status } = spawnSync('festival', ['-b', `(voice_${VOICE})`], { stdio: 'ignore' });
  return error || status !== 0 ? `festival with the voice ${VOICE} (${PACKAGES})` : null;
}

let festival: ReturnType<typeof openFestival> | null = null;

/** Text as speech: samples of 16 bits, one channel, at PCM_RATE. */
export async function speak(text: string, { speed = 1 } = {}): Promise<Int16Array> {
  festival ??= openFestival(() => {
    festival = null;
  });
  const wav = await festival.say(text, speed);
  const bytes = wav.subarray(44, wav.length - (wav.length % 2));
  const samples = new Int16Array(Uint8Array.from(bytes).buffer);
  // The voice begins with a fifth of a second of silence, for which the caller would wait.
  return samples.subarray(Math.max(0, samples.findIndex((sample) => Math.abs(sample) >= QUIET) - LEAD));
}

/** A process that has loaded the voice, which takes longer than a sentence; one sentence at a time. */
function openFestival(onEnd: () => void) {
  const child = spawn('festival', ['--pipe'], { stdio: ['pipe', 'pipe', 'pipe'] });
  let said = '';
  child.stderr.on('data', (data) => {
    said = `${said}${data}`.slice(-2000);
  });
  const ended = once(child, 'close').then(() => {
    onEnd();
    throw new Error(`festival has ended: ${said.trim() || PACKAGES}`);
  });
  ended.catch(onEnd);
  child.stdin.on('error', () => {});
  child.stdin.write(`(voice_${VOICE})\n`);
  // An idle voice does not keep a program running.
  child.unref();
  for (const stream of [child.stdin, child.stdout, child.stderr]) (stream as Socket).unref();
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();

  async function synthesize(text: string, speed: number): Promise<Buffer> {
    const file = path.join(tmpdir(), `switchboard-${randomUUID()}.wav`);
    const pace = `(Parameter.set 'Duration_Stretch ${(1 / speed).toFixed(3)})`;
    const save = `(utt.save.wave (utt.wave.resample (SynthText "${plain(text)}") ${PCM_RATE}) "${file}" 'riff)`;
    const alive = setTimeout(() => child.kill('SIGKILL'), SENTENCE_MS);
    try {
      child.stdin.write(`(begin ${pace} ${save} (format t "saved\\n") (fflush nil))\n`);
      await Promise.race([lines.next(), ended]);
      return await readFile(file);
    } finally {
      clearTimeout(alive);
      await rm(file, { force: true });
    }
  }

  let last: Promise<unknown> = Promise.resolve();
  return {
    say: (text: string, speed: number): Promise<Buffer> => {
      const result = last.then(() => synthesize(text, speed));
      last = result.catch(() => {});
      return result;
    },
  };
}

/** Text in letters that the voice has, which cannot end the string that it is in. */
function plain(text: string): string {
  return text.normalize('NFKD').replaceAll(/[^\x20-\x7e]|["\\]/g, ' ');
}

/** A WAV file of one channel, or of two: a side of a conversation in each. */
export function toWav(side: Int16Array, rate = PCM_RATE, otherSide?: Int16Array): Buffer {
  const samples = otherSide ? interleave(side, otherSide) : side;
  const channels = otherSide ? 2 : 1;
  const header = Buffer.alloc(44);
  const bytes = samples.byteLength;
  header.write('RIFF', 0);
  header.writeUInt32LE(36 + bytes, 4);
  header.write('WAVEfmt ', 8);
  header.writeUInt32LE(16, 16);
  header.writeUInt16LE(1, 20);
  header.writeUInt16LE(channels, 22);
  header.writeUInt32LE(rate, 24);
  header.writeUInt32LE(rate * 2 * channels, 28);
  header.writeUInt16LE(2 * channels, 32);
  header.writeUInt16LE(16, 34);
  header.write('data', 36);
  header.writeUInt32LE(bytes, 40);
  return Buffer.concat([header, Buffer.from(samples.buffer, samples.byteOffset, bytes)]);
}

function interleave(left: Int16Array, right: Int16Array): Int16Array {
  const samples = new Int16Array(2 * Math.max(left.length, right.length));
  for (const [channel, side] of [left, right].entries())
    for (const [index, sample] of side.entries()) samples[2 * index + channel] = sample;
  return samples;
}

/** Duration of a 16-bit WAV file. */
export function durationMs(wav: Buffer): number {
  const bytesPerSecond = wav.readUInt32LE(28);
  return ((wav.length - wav.indexOf('data') - 8) * 1000) / bytesPerSecond;
}
