/** A phone line without a room: a caller who plays what they are given, and a loudspeaker that plays all at once. */
import { ReadableStream, type ReadableStreamDefaultController } from 'node:stream/web';
import { setTimeout as sleep } from 'node:timers/promises';
import { voice } from '@livekit/agents';
import { AudioFrame } from '@livekit/rtc-node';

export const RATE = 24_000;
const FRAME_MS = 10;
const SAMPLES = (RATE * FRAME_MS) / 1_000;

export class Phone extends voice.AudioInput {
  readonly #waiting: Int16Array[] = [];
  constructor() {
    super();
    const start = async (frames: ReadableStreamDefaultController<AudioFrame>) => {
      for (;;) {
        frames.enqueue(new AudioFrame(this.#waiting.shift() ?? new Int16Array(SAMPLES), RATE, 1, SAMPLES));
        await sleep(FRAME_MS);
      }
    };
    this.multiStream.addInputStream(new ReadableStream<AudioFrame>({ start: (frames) => void start(frames) }));
  }
  play(samples: Int16Array): void {
    for (let at = 0; at < samples.length; at += SAMPLES) {
      const frame = new Int16Array(SAMPLES);
      frame.set(samples.subarray(at, at + SAMPLES));
      this.#waiting.push(frame);
    }
  }
  /** Whether everything was played. */
  isSilent(): boolean {
    return this.#waiting.length === 0;
  }
}

/** A caller who makes no sound. */
export const Silence = Phone;

export class Loudspeaker extends voice.AudioOutput {
  /** Played so far. */
  samples = 0;
  #isPlaying = false;
  constructor() {
    super(RATE);
  }
  override async captureFrame(frame: AudioFrame): Promise<void> {
    await super.captureFrame(frame);
    if (!this.#isPlaying) this.onPlaybackStarted(Date.now());
    this.#isPlaying = true;
    this.samples += frame.samplesPerChannel;
  }
  override flush(): void {
    super.flush();
    if (this.#isPlaying) this.onPlaybackFinished({ playbackPosition: this.samples / RATE, interrupted: false });
    this.#isPlaying = false;
  }
  override clearBuffer(): void {}
}
