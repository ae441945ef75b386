import { APIConnectionError, APITimeoutError, stt, type VAD, VADEventType } from '@livekit/agents';
import type { AudioFrame } from '@livekit/rtc-node';
import { createOrder, once, type Policy } from './order.ts';

/** Speech that is kept for the next recognizer: longer than what people say without a pause. */
const KEPT_S = 30;
/** Sound that is certainly speech: coughs and noises have no words. */
const SPEECH_MS = 1_000;

/**
 * Recognizers of which the next one listens when one fails, beginning with what was said since the last words that were
 * recognized. The library's own adapter loses that, and never notices that a recognizer without streams has failed.
 */
export class FallbackStt extends stt.STT {
  readonly label = 'switchboard.FallbackStt';
  readonly order: ReturnType<typeof createOrder<stt.STT>>;
  readonly policy: Policy;
  readonly vad: VAD;
  #listening: stt.STT;

  constructor(models: readonly [stt.STT, ...stt.STT[]], policy: Policy, vad: VAD) {
    super({ streaming: true, interimResults: models.every(({ capabilities }) => capabilities.interimResults) });
    this.order = createOrder(models, policy);
    this.policy = policy;
    this.vad = vad;
    this.#listening = models[0];
    for (const model of models) model.on('metrics_collected', (metrics) => this.emit('metrics_collected', metrics));
  }

  override get model(): string {
    return this.#listening.model;
  }

  override get provider(): string {
    return this.#listening.provider;
  }

  listensWith(model: stt.STT): void {
    this.#listening = model;
  }

  protected override _recognize(): Promise<stt.SpeechEvent> {
    throw new Error('FallbackStt recognizes streams only');
  }

  override stream(): stt.SpeechStream {
    return new FallbackHearing(this);
  }
}

/** A recognizer that hears until its audio ends. */
interface Listener {
  push(frame: AudioFrame): void;
  flush(): void;
  end(): void;
  close(): void;
  /** Resolves when everything is recognized. */
  done: Promise<void>;
}

class FallbackHearing extends stt.SpeechStream {
  readonly label = 'switchboard.FallbackHearing';
  readonly #stt: FallbackStt;
  readonly #kept = new Kept();
  #listener: Listener | null = null;
  #hasEnded = false;

  constructor(model: FallbackStt) {
    super(model, undefined, once(model.policy.firstTokenMs));
    this.#stt = model;
  }

  /** Measures nothing: each recognizer measures its own part. The constructor of the library calls it. */
  protected override async monitorMetrics(): Promise<void> {
    for await (const event of this.queue) if (!this.output.closed) this.output.put(event);
    if (!this.output.closed) this.output.close();
  }

  protected override async run(): Promise<void> {
    const { order, policy } = this.#stt;
    const hearing = this.#hear();
    await order.each(async (model, attempt, isLast) => {
      this.#stt.listensWith(model);
      const put = (event: stt.SpeechEvent) => this.#put(event);
      const listener = order.begin(attempt, () =>
        model.capabilities.streaming
          ? openStream(model, this.#stt, put, !isLast && policy.on.includes('timeout'))
          : openSegments(model, this.#stt, put),
      );
      this.#listener = listener;
      for (const frame of this.#kept.frames) listener.push(frame);
      if (this.#hasEnded) listener.end();
      try {
        await listener.done;
        if (attempt.error !== undefined && !this.closed) throw attempt.error;
        if (!this.#hasEnded && !this.closed) throw new APIConnectionError({ message: 'the recognizer has left' });
      } finally {
        this.#listener = null;
        listener.close();
      }
    });
    await hearing;
  }

  async #hear(): Promise<void> {
    for await (const item of this.input) {
      if (typeof item === 'symbol') this.#listener?.flush();
      else {
        this.#kept.push(item);
        this.#listener?.push(item);
      }
    }
    this.#hasEnded = true;
    this.#listener?.end();
  }

  #put(event: stt.SpeechEvent): void {
    if (event.type === stt.SpeechEventType.END_OF_SPEECH) this.#kept.mark();
    if (event.type === stt.SpeechEventType.FINAL_TRANSCRIPT) this.#kept.drop();
    if (!this.queue.closed && event.type !== stt.SpeechEventType.RECOGNITION_USAGE) this.queue.put(event);
  }

  override close(): void {
    this.#listener?.close();
    super.close();
  }
}

/** The audio that no recognizer has turned into words yet. */
class Kept {
  frames: AudioFrame[] = [];
  #seconds = 0;
  #marked: number | null = null;

  push(frame: AudioFrame): void {
    this.frames.push(frame);
    this.#seconds += seconds(frame);
    while (this.#seconds > KEPT_S) this.#shift();
  }

  /** Remembers the end of what is being recognized. */
  mark(): void {
    this.#marked ??= this.frames.length;
  }

  /** Forgets what was recognized. */
  drop(): void {
    for (let left = this.#marked ?? this.frames.length; left > 0; left--) this.#shift();
    this.#marked = null;
  }

  #shift(): void {
    const frame = this.frames.shift();
    if (frame) this.#seconds -= seconds(frame);
    if (this.#marked !== null) this.#marked = Math.max(0, this.#marked - 1);
  }
}

const seconds = ({ samplesPerChannel, sampleRate }: AudioFrame) => samplesPerChannel / sampleRate;

/** A detector that is closed twice fails. */
function onlyOnce(close: () => void): () => void {
  let isDone = false;
  return () => {
    if (!isDone) close();
    isDone = true;
  };
}

type Put = (event: stt.SpeechEvent) => void;

/**
 * A recognizer with streams. If it is watched, clear speech without a single word for too long is a failure. One that
 * nobody replaces is not: laughter and music have no words for any of them, and its failure ends the call.
 */
function openStream(model: stt.STT, { policy, vad }: FallbackStt, put: Put, isWatched: boolean): Listener {
  const stream = model.stream({ connOptions: once(policy.firstTokenMs) });
  const speech = isWatched ? vad.stream() : null;
  const closeSpeech = onlyOnce(() => speech?.close());
  const { promise: stalled, reject } = Promise.withResolvers<never>();
  stalled.catch(() => {});
  let timer: NodeJS.Timeout | undefined;
  let hasWords = false;
  const late = () => reject(new APITimeoutError({ message: `no words for ${policy.firstTokenMs} ms` }));
  const watch = async () => {
    for await (const { type, speechDuration } of speech ?? []) {
      if (type === VADEventType.START_OF_SPEECH && timer === undefined) hasWords = false;
      if (type !== VADEventType.END_OF_SPEECH || hasWords || speechDuration < SPEECH_MS) continue;
      timer ??= setTimeout(late, policy.firstTokenMs);
    }
  };
  const read = async () => {
    for await (const event of stream) {
      if (event.alternatives?.[0]?.text) {
        hasWords = true;
        clearTimeout(timer);
        timer = undefined;
      }
      put(event);
    }
  };
  watch().catch(reject);
  return {
    push: (frame) => {
      if (isOpen(stream)) stream.pushFrame(frame);
      speech?.pushFrame(frame);
    },
    flush: () => isOpen(stream) && stream.flush(),
    end: () => isOpen(stream) && stream.endInput(),
    close: () => {
      clearTimeout(timer);
      stream.close();
      closeSpeech();
    },
    done: Promise.race([read(), stalled]),
  };
}

/** Whether a stream takes input: one that has failed does not, before anyone has read that. */
function isOpen(stream: stt.SpeechStream): boolean {
  const { input, closed } = stream as unknown as { input: { closed: boolean }; closed: boolean };
  return !closed && !input.closed;
}

/** A recognizer without streams gets what is said between two pauses. */
function openSegments(model: stt.STT, { policy, vad }: FallbackStt, put: Put): Listener {
  const speech = vad.stream();
  const closeSpeech = onlyOnce(() => speech.close());
  const abort = new AbortController();
  const recognize = async (frames: AudioFrame[], silenceMs: number) => {
    const speechEndTime = Date.now() - silenceMs;
    put({ type: stt.SpeechEventType.END_OF_SPEECH, speechEndTime });
    const { promise: late, reject } = Promise.withResolvers<never>();
    const timer = setTimeout(
      () => reject(new APITimeoutError({ message: `no words for ${policy.firstTokenMs} ms` })),
      policy.firstTokenMs,
    );
    try {
      const event = await Promise.race([model.recognize(frames, abort.signal), late]);
      put({ speechEndTime, ...event });
    } finally {
      clearTimeout(timer);
    }
  };
  const read = async () => {
    for await (const { type, frames, silenceDuration } of speech) {
      if (type === VADEventType.START_OF_SPEECH) put({ type: stt.SpeechEventType.START_OF_SPEECH });
      if (type === VADEventType.END_OF_SPEECH) await recognize(frames, silenceDuration);
    }
  };
  return {
    push: (frame) => speech.pushFrame(frame),
    flush: () => speech.flush(),
    // The detector's own end of input fails while it reads.
    end: closeSpeech,
    close: () => {
      abort.abort();
      closeSpeech();
    },
    done: read(),
  };
}
