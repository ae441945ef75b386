/** A voice that says a second of silence for each text, and ends, fails or stalls then. */
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { APIStatusError, tts } from '@livekit/agents';
import { AudioFrame } from '@livekit/rtc-node';
import { RATE } from './line.ts';

/** Whether a voice makes a sound, and what happens then. */
export const [SPEAKS, BREAKS_OFF, STALLS, FAILS] = [
  [true, 'ends'],
  [true, 'fails'],
  [true, 'stalls'],
  [false, 'fails'],
] as const;
export type Course = typeof SPEAKS | typeof BREAKS_OFF | typeof STALLS | typeof FAILS;

export class Voice extends tts.TTS {
  readonly label = 'voice';
  readonly course: Course;
  constructor(course: Course) {
    super(RATE, 1, { streaming: true });
    this.course = course;
  }
  override synthesize(): never {
    throw new Error('It speaks in streams alone.');
  }
  override stream(): tts.SynthesizeStream {
    return new VoiceStream(this);
  }
}

class VoiceStream extends tts.SynthesizeStream {
  readonly label = 'voice';
  readonly #course: Course;
  constructor(voice: Voice) {
    super(voice);
    this.#course = voice.course;
  }
  protected override async run(): Promise<void> {
    const [isHeard, then] = this.#course;
    for await (const _ of this.input);
    const frame = new AudioFrame(new Int16Array(RATE), RATE, 1, RATE);
    if (isHeard) this.queue.put({ requestId: 'r', segmentId: 's', frame, final: then === 'ends' });
    // The library reads what it has been given first.
    await sleep(50);
    if (then === 'stalls') return void (await once(this.abortSignal, 'abort'));
    if (then === 'fails')
      throw new APIStatusError({ message: 'no credit', options: { statusCode: 402, retryable: false } });
    this.queue.put(tts.SynthesizeStream.END_OF_STREAM);
  }
}
