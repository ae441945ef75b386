/** Sound of a telephone line: G.711 μ-law with 8,000 samples a second, from and to samples of 24 kHz. */

/** Samples per second of a line, and per sample of it elsewhere. */
export const [LINE_RATE, TIMES] = [8_000, 3];
/** The byte of silence. */
export const SILENCE = 0xff;

/** Each sample is the mean of those that it replaces: otherwise higher tones would alias to noise. */
export function toLine(samples: Int16Array): Buffer {
  return Buffer.from(
    Array.from({ length: Math.floor(samples.length / TIMES) }, (_, index) => {
      const some = samples.subarray(index * TIMES, (index + 1) * TIMES);
      return encode(some.reduce((sum, sample) => sum + sample, 0) / TIMES);
    }),
  );
}

export function fromLine(line: Buffer): Int16Array {
  const samples = Array.from(line, decode);
  return Int16Array.from({ length: line.length * TIMES }, (_, index) => {
    const [place, part] = [Math.floor(index / TIMES), (index % TIMES) / TIMES];
    const [from = 0, to = from] = [samples[place], samples[place + 1]];
    return from + (to - from) * part;
  });
}

/** One sample by ITU-T G.711, μ-law: a sign, the segment, and four bits within it; all bits inverted. */
function encode(sample: number): number {
  const size = Math.min(Math.abs(Math.round(sample)), 32_635) + 132;
  const segment = 24 - Math.clz32(size);
  return ~((sample < 0 ? 0x80 : 0) | (segment << 4) | ((size >> (segment + 3)) & 0x0f)) & 0xff;
}

export function decode(byte: number): number {
  const bits = ~byte & 0xff;
  const size = ((((bits & 0x0f) << 3) + 132) << ((bits >> 4) & 7)) - 132;
  return bits & 0x80 ? -size : size;
}
