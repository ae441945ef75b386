import { APIConnectionError, type APIConnectOptions, tts } from '@livekit/agents';
import { type AudioFrame, AudioResampler } from '@livekit/rtc-node';
import { createOrder, nextWithin, once, type Policy } from './order.ts';

/**
 * Voices of which the next one speaks when one fails, sentence by sentence: the library asks a voice without streams
 * for each. Of a sentence that breaks off, the next voice says what is left, by its duration. The library's own
 * adapter says nothing more then, and has a failed voice speak every second to see whether it has recovered.
 */
export class FallbackTts extends tts.TTS {
  readonly label = 'switchboard.FallbackTts';
  readonly models: readonly tts.TTS[];
  readonly order: ReturnType<typeof createOrder<tts.TTS>>;
  readonly firstTokenMs: number;

  constructor(models: readonly tts.TTS[], policy: Policy) {
    super(Math.max(...models.map(({ sampleRate }) => sampleRate)), 1, { streaming: false });
    this.models = models;
    this.order = createOrder(models, policy);
    this.firstTokenMs = policy.firstTokenMs;
    for (const model of models) model.on('metrics_collected', (metrics) => this.emit('metrics_collected', metrics));
  }

  override synthesize(text: string, _?: APIConnectOptions, abortSignal?: AbortSignal): tts.ChunkedStream {
    return new FallbackSpeech(text, this, abortSignal);
  }

  override stream(): tts.SynthesizeStream {
    throw new Error('FallbackTts speaks sentence by sentence');
  }

  override async close(): Promise<void> {
    await Promise.all(this.models.map((model) => model.close()));
  }
}

/** Keeps the failure of a request from being an unhandled rejection, as it is in version 1.8.1 of the library. */
export function handle(stream: tts.ChunkedStream, attempt: { error?: unknown }): void {
  const inner = stream as unknown as { mainTask(): Promise<void> };
  const run = inner.mainTask.bind(stream);
  inner.mainTask = async () => {
    try {
      await run();
    } catch (error) {
      attempt.error ??= error;
    }
  };
}

class FallbackSpeech extends tts.ChunkedStream {
  readonly label = 'switchboard.FallbackSpeech';
  readonly #voice: FallbackTts;
  #given = 0;

  constructor(text: string, voice: FallbackTts, abortSignal?: AbortSignal) {
    super(text, voice, once(voice.firstTokenMs), abortSignal);
    this.#voice = voice;
  }

  protected override async run(): Promise<void> {
    const { order } = this.#voice;
    await order.each(async (model, attempt) => {
      const stream = order.begin(attempt, () => this.#ask(model));
      if (stream instanceof tts.ChunkedStream) handle(stream, attempt);
      const abort = () => stream.close();
      this.abortSignal.addEventListener('abort', abort);
      try {
        const hasSpoken = await this.#forward(stream, model.sampleRate);
        if (this.abortSignal.aborted) return;
        if (attempt.error !== undefined) throw attempt.error;
        if (!hasSpoken) throw new APIConnectionError({ message: 'the voice said nothing' });
      } finally {
        this.abortSignal.removeEventListener('abort', abort);
        stream.close();
      }
    });
  }

  #ask(model: tts.TTS): tts.ChunkedStream | tts.SynthesizeStream {
    const connOptions = once(this.#voice.firstTokenMs);
    if (!model.capabilities.streaming) return model.synthesize(this.inputText, connOptions, this.abortSignal);
    const stream = model.stream({ connOptions });
    stream.pushText(this.inputText);
    stream.flush();
    stream.endInput();
    return stream;
  }

  async #forward(stream: tts.ChunkedStream | tts.SynthesizeStream, sampleRate: number): Promise<boolean> {
    const { sampleRate: rate, firstTokenMs } = this.#voice;
    const resampler = sampleRate === rate ? null : new AudioResampler(sampleRate, rate, 1);
    // Samples that the caller has heard of another voice.
    let heard = this.#given;
    let hasSpoken = false;
    const put = (frame: AudioFrame, requestId: string) => {
      heard -= frame.samplesPerChannel;
      if (heard >= 0) return;
      this.#given += frame.samplesPerChannel;
      this.queue.put({ requestId, segmentId: requestId, frame, final: false });
    };
    let id = '';
    for (;;) {
      const { value, done } = await nextWithin<tts.SynthesizedAudio | symbol>(stream, firstTokenMs);
      if (done || this.abortSignal.aborted) break;
      if (typeof value === 'symbol') continue;
      hasSpoken = true;
      id = value.requestId;
      for (const frame of resampler?.push(value.frame) ?? [value.frame]) put(frame, id);
    }
    for (const frame of resampler?.flush() ?? []) put(frame, id);
    resampler?.close();
    return hasSpoken;
  }
}
