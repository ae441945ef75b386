import {
  AudioFrame,
  AudioSource,
  LocalAudioTrack,
  type Room,
  TrackPublishOptions,
  TrackSource,
} from '@livekit/rtc-node';
import type { OpenClip } from './clips.ts';
import type { SoundConfig } from './config.ts';

/** Switchboard tells the media server by this name who hears it: the caller who waits, and nobody else. */
export const HOLD_MUSIC = 'hold-music';

const RATE = 24_000;
const FRAME_MS = 20;
const SAMPLES = (RATE * FRAME_MS) / 1000;
/** A quiet arpeggio of four chords, in hertz. */
const NOTES = [
  [261.63, 329.63, 392, 493.88],
  [220, 261.63, 329.63, 392],
  [174.61, 261.63, 349.23, 440],
  [196, 246.94, 293.66, 392],
].flat();
const NOTE_S = 0.6;
/** A share of full scale: nobody has to talk over this music. */
const LOUDNESS = 0.08;
const FADE_S = 2;

/** The sample at a time, between -1 and 1. Each note rises softly and fades under the next one. */
export function sampleAt(seconds: number): number {
  const now = Math.floor(seconds / NOTE_S);
  let sum = 0;
  for (const at of [now, now - 1]) {
    const note = NOTES[at % NOTES.length];
    if (at < 0 || note === undefined) continue;
    const since = seconds - at * NOTE_S;
    const envelope = Math.min(1, since / 0.03) * Math.exp(-3 * since) * Math.max(0, 1 - since / (2 * NOTE_S));
    const phase = 2 * Math.PI * note * since;
    sum += envelope * (Math.sin(phase) + 0.3 * Math.sin(2 * phase));
  }
  return LOUDNESS * Math.min(1, seconds / FADE_S) * sum;
}

/** The music of an agent: its own sound, or chords, which also take the place of one that cannot be played. */
export async function* musicOf(sound: SoundConfig | null, open: OpenClip): AsyncGenerator<AudioFrame, never> {
  const clip = sound && open(sound, RATE);
  if (clip && (await clip.loaded)) yield* clip.play();
  for (let played = 0; ; played += SAMPLES) {
    const samples = Int16Array.from({ length: SAMPLES }, (_, index) => 32_767 * sampleAt((played + index) / RATE));
    yield new AudioFrame(samples, RATE, 1, SAMPLES);
  }
}

/** Plays music into a room until the returned function is called, as a second sound of the agent. */
export async function playHoldMusic(
  { localParticipant }: Pick<Room, 'localParticipant'>,
  music: AsyncIterable<AudioFrame>,
): Promise<() => Promise<void>> {
  if (!localParticipant) return async () => {};
  const source = new AudioSource(RATE, 1);
  const track = LocalAudioTrack.createAudioTrack(HOLD_MUSIC, source);
  const options = new TrackPublishOptions();
  options.source = TrackSource.SOURCE_UNKNOWN;
  const { sid } = await localParticipant.publishTrack(track, options);
  let isOver = false;
  async function play(): Promise<void> {
    for await (const frame of music) {
      if (isOver) return;
      // Waits while enough is queued.
      await source.captureFrame(frame);
    }
  }
  const playing = play().catch(() => {});
  return async () => {
    isOver = true;
    await playing;
    if (sid) await localParticipant.unpublishTrack(sid).catch(() => {});
    await source.close();
  };
}
