/** Sound as the caller makes it: speech of one level, and noise that is the same in each run. */
import type { Scenario } from '@switchboard/scenarios/schema';

export const RATE = 24_000;
/** The level of speech while somebody speaks, in dB below the loudest possible. */
const SPEECH_DB = -20;
/** Seconds of noise, which are repeated. */
const LOOP_S = 16;
const BLOCK = RATE / 100;
/** Blocks below this share of the loudest one are pauses. */
const SILENT = 0.05;
/** How likely a packet is to have another fate than the one before: the others share its fate. */
const RENEWED = 0.5;
/** Louder than what a codec adds to silence, and quieter than the first and last sounds of a word. */
const AUDIBLE = 150;

/** Brings speech to its level. */
export function leveled(samples: Int16Array): Int16Array {
  const loud = blocksOf(samples).map(loudnessOf);
  const threshold = SILENT * Math.max(0, ...loud);
  const spoken = loud.filter((one) => one > threshold);
  const level = Math.sqrt(spoken.reduce((sum, one) => sum + one * one, 0) / Math.max(1, spoken.length));
  return level === 0 ? samples : Int16Array.from(samples, (sample) => clamp((sample * amplitude(SPEECH_DB)) / level));
}

/** The samples until the last sound. */
export function audibleLength(samples: Int16Array): number {
  return Math.min(samples.length, (blocksOf(samples).findLastIndex(isAudible) + 1) * BLOCK);
}

export const isAudible = (block: Int16Array): boolean => loudnessOf(block) >= AUDIBLE;

/** Cuts samples into blocks of 10 ms. */
export function blocksOf(samples: Int16Array): Int16Array[] {
  const count = Math.ceil(samples.length / BLOCK);
  return Array.from({ length: count }, (_, at) => samples.subarray(at * BLOCK, (at + 1) * BLOCK));
}

/** The line of a caller: what leaves it of each packet of 20 ms; null if it is lost on the way. */
export type Line = (packet: Int16Array, isSpoken: boolean) => Int16Array | null;

/** The line of a scenario. Packets that are lost take the noise with them. */
export function createLine({ noise, loss = 0 }: NonNullable<Scenario['line']>, seed: string): Line {
  const noisy = createNoise(noise, seed);
  // Apart from pauses, which are never of the same length: the same parts of words are lost in each run.
  const loses = { words: createLoss(loss / 100, `${seed} words`), pauses: createLoss(loss / 100, `${seed} pauses`) };
  return (packet, isSpoken) => {
    const heard = noisy(packet);
    return loses[isSpoken ? 'words' : 'pauses']() ? null : heard;
  };
}

/**
 * Says for one packet after the other whether it is lost: this share of them, in bursts of two packets on average where
 * few are lost (a Gilbert model).
 */
function createLoss(share: number, seed: string): () => boolean {
  if (share === 0) return () => false;
  const random = createRandom(seed);
  let isLost = random() < share;
  return () => {
    if (random() < RENEWED) isLost = random() < share;
    return isLost;
  };
}

/** Noise as a scenario names it (`street@15dB`): adds it to each frame, without a gap. */
export function createNoise(line: string | undefined, seed: string): (frame: Int16Array) => Int16Array {
  const [, kind, distance] = /^(\w+)@(-?\d+)dB$/.exec(line ?? '') ?? [];
  if (kind === undefined) return (frame) => frame;
  const noise = noiseOf(kind, seed);
  const factor = amplitude(SPEECH_DB - Number(distance));
  let at = 0;
  return (frame) =>
    frame.map((sample) => {
      at = (at + 1) % noise.length;
      return clamp(sample + (noise[at] ?? 0) * factor);
    });
}

/** A tone of the level of speech. */
export function createTone({ hz, ms }: { hz: number; ms: number }): Int16Array {
  const peak = amplitude(SPEECH_DB) * Math.SQRT2;
  return Int16Array.from({ length: (RATE * ms) / 1000 }, (_, at) => peak * Math.sin((2 * Math.PI * hz * at) / RATE));
}

/** Noise of the loudness 1. */
function noiseOf(kind: string, seed: string): Float64Array {
  const random = createRandom(seed);
  const next = { white: () => random() * 2 - 1, pink: pink(random), street: street(random) }[kind];
  if (!next) throw new Error(`There is no noise ${kind}.`);
  const samples = Float64Array.from({ length: LOOP_S * RATE }, next);
  const level = Math.sqrt(samples.reduce((sum, one) => sum + one * one, 0) / samples.length);
  return samples.map((one) => one / level);
}

/** Paul Kellet's economy filter: as loud in each octave. */
function pink(random: () => number): () => number {
  let [low, middle, high] = [0, 0, 0];
  return () => {
    const white = random() * 2 - 1;
    low = 0.99765 * low + white * 0.099046;
    middle = 0.963 * middle + white * 0.2965164;
    high = 0.57 * high + white * 1.0526913;
    return low + middle + high + white * 0.1848;
  };
}

/** Rumble that comes and goes as cars pass by. */
function street(random: () => number): () => number {
  const hiss = pink(random);
  const cars = [3, 5, 7].map((times) => ({ times, phase: random() * 2 * Math.PI }));
  let [rumble, at] = [0, 0];
  return () => {
    rumble = 0.995 * rumble + hiss() * 0.05;
    const turn = (2 * Math.PI * at++) / (LOOP_S * RATE);
    const near = cars.reduce((sum, { times, phase }) => sum + Math.sin(times * turn + phase), 0) / cars.length;
    return (rumble * 3 + hiss() * 0.3) * (1 + 0.6 * near);
  };
}

/** Numbers from 0 to 1, the same ones for the same seed (mulberry32). */
function createRandom(seed: string): () => number {
  let state = 0;
  for (const char of seed) state = (Math.imul(state, 31) + (char.codePointAt(0) ?? 0)) | 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

const amplitude = (db: number) => 32_767 * 10 ** (db / 20);
const clamp = (sample: number) => Math.max(-32_768, Math.min(32_767, Math.round(sample)));

function loudnessOf(block: Int16Array): number {
  let sum = 0;
  for (const sample of block) sum += sample * sample;
  return Math.sqrt(sum / Math.max(1, block.length));
}
