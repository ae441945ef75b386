/** Tones after which machines record, in the sound of the caller. */
import type { voice } from '@livekit/agents';
import type { AudioFrame } from '@livekit/rtc-node';
import type { CallerSpeech } from './caller-speech.ts';
import { readFrames } from './frames.ts';

/** Tones are looked for in what a telephone carries. */
const RATE = 8_000;
/** Blocks that are a tone or not; their length is the reciprocal of the width of a band, 40 Hz. */
const BLOCK = RATE / 40;
const BLOCK_MS = (BLOCK * 1000) / RATE;
const STEP_HZ = 20;
const [LOWEST_HZ, HIGHEST_HZ] = [400, 2_500];
/** A tone between two bands keeps 0.8 of its energy in the nearest one; a vowel has several. */
const PURE = 0.7;
/** Blocks that lie as a whole within a tone of 150 ms. */
const BLOCKS = 5;
/** The least loudness of a tone (RMS, of 16 bits). */
const AUDIBLE = 100;
/** A tone is as loud in all of its blocks, by this factor at most; notes swell, fade or tremble. */
const EVEN = 1.4;
/** Quiet after a tone, with no other tone of the same beep: music and voices go on. */
const GAP_MS = 400;
/** The loudness of that quiet, of the tone's; it may end in blocks that are louder. */
const QUIET = 0.3;
const TAIL = 4;
/** The most by which the end of speech is noticed too late. */
const LATE_MS = 500;

const BANDS = Array.from({ length: (HIGHEST_HZ - LOWEST_HZ) / STEP_HZ + 1 }, (_, band) => ({
  band,
  factor: 2 * Math.cos((2 * Math.PI * (LOWEST_HZ + band * STEP_HZ)) / RATE),
}));

type Frame = Pick<AudioFrame, 'data' | 'sampleRate' | 'channels'>;

/** Blocks of one tone so far. */
interface Tone {
  band: number;
  blocks: number;
  quietest: number;
  loudest: number;
}

const NO_BEEP = { endedAt: Number.NEGATIVE_INFINITY, loudness: Number.POSITIVE_INFINITY };

const begun = (band: number, loudness: number): Tone => ({ band, blocks: 1, quietest: loudness, loudest: loudness });

/** The tone with one more block; null if that is another one, or not as loud. */
function goingOn(tone: Tone | null, band: number, loudness: number): Tone | null {
  if (tone === null || Math.abs(band - tone.band) > 1) return null;
  const [quietest, loudest] = [Math.min(tone.quietest, loudness), Math.max(tone.loudest, loudness)];
  return loudest > EVEN * quietest ? null : { band, blocks: tone.blocks + 1, quietest, loudest };
}

/** Follows the caller's sound, whose frames are of any rate. */
export function createBeepDetector(now: () => number = Date.now) {
  let block: number[] = [];
  let [sum, count] = [0, 0];
  let tone: Tone | null = null;
  let beep = NO_BEEP;
  /** Blocks since the beep. */
  let since = 0;

  function end(): void {
    const loudness = loudnessOf(block);
    const band = bandOf(block, loudness);
    block = [];
    tone = band === null ? null : (goingOn(tone, band, loudness) ?? begun(band, loudness));
    since += 1;
    if (tone && tone.blocks >= BLOCKS) {
      beep = { endedAt: now(), loudness: tone.loudest };
      since = 0;
    } else if (since > TAIL && since * BLOCK_MS <= GAP_MS && loudness > QUIET * beep.loudness) beep = NO_BEEP;
  }

  return {
    add({ data, sampleRate, channels }: Frame): void {
      const length = Math.max(1, Math.round((sampleRate * channels) / RATE));
      for (const sample of data) {
        sum += sample;
        if (++count < length) continue;
        block.push(sum / count);
        [sum, count] = [0, 0];
        if (block.length === BLOCK) end();
      }
    },
    /** When the last beep has ended; never before one was heard to its end. */
    endedAt: (): number => (now() - beep.endedAt >= GAP_MS + BLOCK_MS ? beep.endedAt : NO_BEEP.endedAt),
  };
}

/** Listens for the tone after a greeting, beside the session; `stop` ends it. */
export function followBeeps(session: voice.AgentSession, caller: CallerSpeech) {
  const detector = createBeepDetector();
  const stop = readFrames(session._subscribeAudioStream(), detector.add);
  return {
    /** Whether a tone has ended after the last words, or that speech for which the detection takes it. */
    isHeard: (): boolean => !caller.isSpeaking() && detector.endedAt() >= caller.changedAt() - LATE_MS,
    silentMs: (): number => (caller.isSpeaking() ? 0 : Date.now() - caller.changedAt()),
    stop,
  };
}

const loudnessOf = (block: readonly number[]): number =>
  Math.sqrt(block.reduce((total, sample) => total + sample * sample, 0) / BLOCK);

/** The band that has nearly all of a block's energy (Goertzel); null for none. */
function bandOf(block: readonly number[], loudness: number): number | null {
  if (loudness < AUDIBLE) return null;
  let best = { band: 0, power: 0 };
  for (const { band, factor } of BANDS) {
    let [last, before] = [0, 0];
    for (const sample of block) [last, before] = [sample + factor * last - before, last];
    const power = last * last + before * before - factor * last * before;
    if (power > best.power) best = { band, power };
  }
  return (2 * best.power) / BLOCK >= PURE * loudness * loudness * BLOCK ? best.band : null;
}
