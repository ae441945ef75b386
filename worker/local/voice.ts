import { execFile } from 'node:child_process';

export const VOICE_MODEL = 'espeak-ng';
/** The sample rate that the API requires for raw speech, in Hz. */
export const PCM_RATE = 24_000;

const WORDS_PER_MINUTE = 165;

/** Text as speech: samples of 16 bits, one channel, at PCM_RATE. `voice` is one of `espeak-ng --voices`. */
export async function speak(text: string, { voice = 'en-us', speed = 1 } = {}): Promise<Int16Array> {
  const wav = await run(['-v', voice, '-s', String(Math.round(WORDS_PER_MINUTE * speed)), '--stdin', '--stdout'], text);
  const data = wav.indexOf('data');
  // The length in the header is unknown when it is written: the samples continue to the end.
  const bytes = wav.subarray(data + 8, wav.length - ((wav.length - data) % 2));
  const samples = new Int16Array(Uint8Array.from(bytes).buffer);
  return resample(samples, wav.readUInt32LE(24), PCM_RATE);
}

function run(args: string[], input: string): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const child = execFile('espeak-ng', args, { encoding: 'buffer', maxBuffer: 64 << 20 }, (error, stdout, stderr) => {
      if (error) reject(new Error(`espeak-ng: ${stderr.toString().trim() || error.message}`));
      else resolve(stdout);
    });
    child.stdin?.on('error', () => {});
    child.stdin?.end(input);
  });
}

/** Linear interpolation: sufficient for a voice without content above 10 kHz. */
export function resample(samples: Int16Array, from: number, to: number): Int16Array {
  const step = from / to;
  return Int16Array.from({ length: Math.floor(samples.length / step) }, (_, index) => {
    const at = index * step;
    const [left = 0, right = left] = samples.subarray(Math.floor(at), Math.floor(at) + 2);
    return Math.round(left + (right - left) * (at % 1));
  });
}

/** A WAV file of one channel. */
export function toWav(samples: Int16Array, rate = PCM_RATE): Buffer {
  const header = Buffer.alloc(44);
  const bytes = samples.byteLength;
  header.write('RIFF', 0);
  header.writeUInt32LE(36 + bytes, 4);
  header.write('WAVEfmt ', 8);
  header.writeUInt32LE(16, 16);
  header.writeUInt16LE(1, 20);
  header.writeUInt16LE(1, 22);
  header.writeUInt32LE(rate, 24);
  header.writeUInt32LE(rate * 2, 28);
  header.writeUInt16LE(2, 32);
  header.writeUInt16LE(16, 34);
  header.write('data', 36);
  header.writeUInt32LE(bytes, 40);
  return Buffer.concat([header, Buffer.from(samples.buffer, samples.byteOffset, bytes)]);
}

/** Duration of a 16-bit WAV file. */
export function durationMs(wav: Buffer): number {
  const bytesPerSecond = wav.readUInt32LE(28);
  return ((wav.length - wav.indexOf('data') - 8) * 1000) / bytesPerSecond;
}
