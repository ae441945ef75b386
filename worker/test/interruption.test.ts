import assert from 'node:assert/strict';
import { ReadableStream, type ReadableStreamDefaultController } from 'node:stream/web';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { initializeLogger, type VAD, type VADEvent, VADEventType, voice } from '@livekit/agents';
import * as openai from '@livekit/agents-plugin-openai';
import { AudioFrame } from '@livekit/rtc-node';
import { readConfig } from '../conversation/config.ts';
import { createSession } from '../conversation/session.ts';
import { missingFestival, PCM_RATE, speak } from '../local/voice.ts';

initializeLogger({ pretty: false, level: 'silent' });

const FRAME_MS = 10;
const FRAME = (PCM_RATE * FRAME_MS) / 1000;
/** The detector judges so much sound at once. */
const WINDOW_MS = 32;
/** The library ignores sound for as long after the agent's first, which may be its echo. */
const ECHO_MS = 3_000;

class Microphone extends voice.AudioInput {
  #frames!: ReadableStreamDefaultController<AudioFrame>;
  constructor() {
    super();
    const frames = new ReadableStream<AudioFrame>({
      start: (controller) => {
        this.#frames = controller;
      },
    });
    this.multiStream.addInputStream(frames);
  }
  hear(samples: Int16Array): void {
    this.#frames.enqueue(new AudioFrame(samples, PCM_RATE, 1, samples.length));
  }
}

/** Plays without end, until it is paused. */
class Loudspeaker extends voice.AudioOutput {
  isPlaying = false;
  constructor() {
    super(PCM_RATE, undefined, { pause: true });
  }
  override async captureFrame(frame: AudioFrame): Promise<void> {
    await super.captureFrame(frame);
    if (!this.isPlaying) this.onPlaybackStarted(Date.now());
    this.isPlaying = true;
  }
  override pause(): void {
    this.isPlaying = false;
  }
  override clearBuffer(): void {
    this.isPlaying = false;
  }
}

/** Passes on what a detector has heard with each of its windows: its speech so far, in milliseconds. */
function follow(detector: VAD, onHeard: (speechMs: number) => void): void {
  const open = detector.stream.bind(detector);
  detector.stream = () => {
    const stream = open();
    const publisher = stream as unknown as { sendVADEvent(event: VADEvent): boolean };
    const send = publisher.sendVADEvent.bind(stream);
    publisher.sendVADEvent = (event) => {
      if (event.type === VADEventType.INFERENCE_DONE) onHeard(event.speechDuration);
      return send(event);
    };
    return stream;
  };
}

/**
 * How much speech of a caller had been heard when the agent fell silent, in milliseconds: by the conversation's own
 * clock, which is the sound that it gets.
 */
async function heardUntilSilent(turn_detection: object, words: Int16Array): Promise<number> {
  const config = readConfig({ config: { turn_detection }, variables: {} });
  const stt = new openai.STT({ useRealtime: false, apiKey: 'k', baseURL: 'http://127.0.0.1:9' });
  const session = createSession(config, { stt });
  const [microphone, loudspeaker] = [new Microphone(), new Loudspeaker()];
  session.input.audio = microphone;
  session.output.audio = loudspeaker;
  assert.ok(session.vad);
  let heardMs = 0;
  follow(session.vad, (speechMs) => {
    if (loudspeaker.isPlaying) heardMs = speechMs;
  });
  await session.start({ agent: new voice.Agent({ instructions: '' }) });
  const greeting = new ReadableStream<AudioFrame>({
    start: (frames) => frames.enqueue(new AudioFrame(new Int16Array(FRAME), PCM_RATE, 1, FRAME)),
  });
  session.say('Welcome.', { audio: greeting });
  const hear = async (samples: Int16Array) => {
    microphone.hear(samples);
    // Slower than speech, so that a busy machine is not behind.
    await sleep(2 * FRAME_MS);
  };
  const silent = new Int16Array(FRAME);
  for (const end = Date.now() + ECHO_MS + 500; Date.now() < end; ) await hear(silent);
  assert.ok(loudspeaker.isPlaying);
  for (let said = 0; loudspeaker.isPlaying && said < words.length; said += FRAME)
    await hear(words.slice(said, said + FRAME));
  assert.ok(!loudspeaker.isPlaying);
  session.close().catch(() => {});
  return heardMs;
}

test('a caller silences the agent with a quarter of a second of speech', {
  skip: missingFestival() ?? false,
}, async (t) => {
  const words = await speak('When do you open on Sunday?');
  for (const [turn_detection, ms] of [
    [{}, 250],
    [{ min_interruption_ms: 500 }, 500],
  ] as const) {
    const heard = await heardUntilSilent(turn_detection, words);
    t.diagnostic(`silent after ${heard} ms of speech`);
    assert.ok(heard >= ms && heard < ms + 2 * WINDOW_MS, `${heard} ms of speech, of ${ms}`);
  }
});
