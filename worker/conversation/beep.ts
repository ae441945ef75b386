/** Tones after which machines record, in the sound of the caller. */
import { voice } from '@livekit/agents';
import type { AudioFrame } from '@livekit/rtc-node';

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
/** Gap after which no other tone of the same beep follows. */
const GAP_MS = 400;
/** The most by which the end of speech is noticed too late. */
const LATE_MS = 1_000;

const BANDS = Array.from({ length: (HIGHEST_HZ - LOWEST_HZ) / STEP_HZ + 1 }, (_, band) => ({
  band,
  factor: 2 * Math.cos((2 * Math.PI * (LOWEST_HZ + band * STEP_HZ)) / RATE),
}));

type Frame = Pick<AudioFrame, 'data' | 'sampleRate' | 'channels'>;

/** Follows the caller's sound, whose frames are of any rate. */
export function createBeepDetector(now: () => number = Date.now) {
  let block: number[] = [];
  let [sum, count] = [0, 0];
  let tone: { band: number; blocks: number } | null = null;
  let endedAt = Number.NEGATIVE_INFINITY;

  function end(): void {
    const found = bandOf(block);
    block = [];
    const goesOn = found !== null && tone !== null && Math.abs(found - tone.band) <= 1;
    if (goesOn && tone) tone.blocks += 1;
    else tone = found === null ? null : { band: found, blocks: 1 };
    if (tone && tone.blocks >= BLOCKS) endedAt = now();
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
    endedAt: (): number => (now() - endedAt >= GAP_MS + BLOCK_MS ? endedAt : Number.NEGATIVE_INFINITY),
  };
}

/** Listens for the tone after a greeting, beside the session; `stop` ends it. */
export function followBeeps(session: voice.AgentSession) {
  const detector = createBeepDetector();
  // The moment is late by what the speech detection takes to let go, or that of the tone, if it takes it for speech.
  let spokeAt = Date.now();
  const onState = () => {
    spokeAt = Date.now();
  };
  session.on(voice.AgentSessionEventTypes.UserStateChanged, onState);
  const reader = session._subscribeAudioStream()?.getReader();
  async function read(): Promise<void> {
    for (let next = await reader?.read(); next && !next.done; next = await reader?.read()) detector.add(next.value);
  }
  read().catch(() => {});
  return {
    /** Whether a tone has ended after the last words. */
    isHeard: (): boolean => session.userState !== 'speaking' && detector.endedAt() >= spokeAt - LATE_MS,
    silentMs: (): number => (session.userState === 'speaking' ? 0 : Date.now() - spokeAt),
    stop: (): void => {
      session.off(voice.AgentSessionEventTypes.UserStateChanged, onState);
      void reader?.cancel().catch(() => {});
    },
  };
}

/** The band that has nearly all of a block's energy (Goertzel); null for none. */
function bandOf(block: readonly number[]): number | null {
  const energy = block.reduce((total, sample) => total + sample * sample, 0);
  if (energy < AUDIBLE * AUDIBLE * BLOCK) return null;
  let best = { band: 0, power: 0 };
  for (const { band, factor } of BANDS) {
    let [last, before] = [0, 0];
    for (const sample of block) [last, before] = [sample + factor * last - before, last];
    const power = last * last + before * before - factor * last * before;
    if (power > best.power) best = { band, power };
  }
  return (2 * best.power) / BLOCK >= PURE * energy ? best.band : null;
}
