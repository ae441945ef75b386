/** AssemblyAI's streaming recognition, by its SDK: the library has no plugin of it for Node. */
import { setTimeout as sleep } from 'node:timers/promises';
import {
  APIConnectionError,
  type APIConnectOptions,
  APIStatusError,
  APITimeoutError,
  AudioByteStream,
  DEFAULT_API_CONNECT_OPTIONS,
  normalizeLanguage,
  stt,
} from '@livekit/agents';
import { StreamingTranscriber, type StreamingTranscriberParams, type TurnEvent } from 'assemblyai/streaming';

const RATE = 16_000;
/** The provider takes 50 to 1,000 ms in a message. */
const CHUNK = RATE / 20;
/** Time between reports of what was used: a process that is killed loses no more. */
const REPORT_MS = 5_000;

/** Longest wait for the reason for which a connection was closed. */
const REASON_MS = 1_000;

type Fields = Omit<StreamingTranscriberParams, 'apiKey' | 'sampleRate' | 'encoding'>;

interface Options {
  apiKey: string;
  model: NonNullable<StreamingTranscriberParams['speechModel']>;
  /** A BCP 47 tag; undefined if the model is to find out. */
  language: string | undefined;
  /** Parameters of the SDK. */
  fields: Fields;
}

export class AssemblyAiStt extends stt.STT {
  readonly label = 'switchboard.AssemblyAiStt';
  readonly options: Options;

  constructor(options: Options) {
    super({ streaming: true, interimResults: true });
    this.options = options;
  }

  override get model(): string {
    return this.options.model;
  }

  override get provider(): string {
    return 'assemblyai';
  }

  protected override _recognize(): Promise<stt.SpeechEvent> {
    throw new Error('AssemblyAiStt recognizes streams only');
  }

  override stream({ connOptions = DEFAULT_API_CONNECT_OPTIONS } = {}): stt.SpeechStream {
    return new AssemblyAiStream(this, connOptions);
  }
}

type Input = Promise<IteratorResult<Parameters<stt.SpeechStream['pushFrame']>[0] | symbol>>;

class AssemblyAiStream extends stt.SpeechStream {
  readonly label = 'switchboard.AssemblyAiStream';
  readonly #options: Options;
  readonly #timeoutMs: number;
  /** The next frame: a connection that breaks while it is awaited leaves it to the next one. */
  #next: Input | null = null;
  #isSpeaking = false;
  #stopMeter = () => {};

  constructor(model: AssemblyAiStt, connOptions: APIConnectOptions) {
    super(model, RATE, connOptions);
    this.#options = model.options;
    this.#timeoutMs = connOptions.timeoutMs;
  }

  protected override async run(): Promise<void> {
    const { apiKey, model, fields } = this.#options;
    const transcriber = new StreamingTranscriber({
      ...fields,
      apiKey,
      speechModel: model,
      sampleRate: RATE,
      encoding: 'pcm_s16le',
      connectTimeout: this.#timeoutMs,
      // The library and the lists of models try again.
      maxConnectionRetries: 0,
    });
    const { promise: broken, reject } = Promise.withResolvers<never>();
    broken.catch(() => {});
    // An answer to the end of the input closes the connection as well.
    let isOver = false;
    transcriber.on('error', (error) => reject(failure(error)));
    transcriber.on('close', (code, reason) => isOver || reject(failure({ code, message: reason })));
    const hear = this.#hearing();
    transcriber.on('turn', hear);
    const closed = new Promise<void>((resolve) => {
      this.abortSignal.addEventListener('abort', () => resolve(), { once: true });
    });
    const connected = transcriber.connect().catch((error: unknown) => Promise.reject(failure(error)));
    connected.catch(() => {});
    try {
      await Promise.race([connected, closed]);
      if (!this.abortSignal.aborted) {
        this.#stopMeter = this.#meter();
        const sent = this.#send(transcriber).catch(async (error: unknown) => {
          // A connection that takes no more has mostly said why, which is read next.
          await sleep(REASON_MS);
          throw failure(error);
        });
        await Promise.race([sent, broken, closed]);
      }
      isOver = true;
      if (!this.abortSignal.aborted) await Promise.race([transcriber.close(true), broken, closed]);
    } finally {
      this.#stopMeter();
      await transcriber.close(false).catch(() => {});
    }
  }

  /** Reports the last of what was used first: a stream that is closed passes on nothing more. */
  override close(): void {
    this.#stopMeter();
    super.close();
  }

  async #send(transcriber: StreamingTranscriber): Promise<void> {
    const chunks = new AudioByteStream(RATE, 1, CHUNK);
    for (;;) {
      this.#next ??= this.input.next();
      const { value, done } = await this.#next;
      if (this.abortSignal.aborted) return;
      this.#next = null;
      if (done) break;
      if (typeof value === 'symbol') {
        sendRest(chunks, transcriber);
        transcriber.forceEndpoint();
      } else for (const { data } of chunks.write(value.data)) transcriber.sendAudio(data.slice().buffer);
    }
    sendRest(chunks, transcriber);
  }

  /** Reports how long the connection was open, which is what the provider charges for; returns what ends that. */
  #meter(): () => void {
    let reportedAt = performance.now();
    const report = () => {
      const now = performance.now();
      const recognitionUsage = { audioDuration: (now - reportedAt) / 1000 };
      reportedAt = now;
      this.#put({ type: stt.SpeechEventType.RECOGNITION_USAGE, recognitionUsage });
    };
    const timer = setInterval(report, REPORT_MS);
    return () => {
      clearInterval(timer);
      this.#stopMeter = () => {};
      report();
    };
  }

  #hearing(): (turn: TurnEvent) => void {
    const { fields, language = 'en' } = this.#options;
    let ended = -1;
    return (turn) => {
      // A formatted repetition of a turn that has ended says nothing new.
      if (turn.turn_order <= ended) return;
      const isFinal = turn.end_of_turn && (turn.turn_is_formatted || !fields.formatTurns);
      const text = isFinal ? turn.transcript : turn.words.map((word) => word.text).join(' ');
      if (text !== '') {
        this.#startSpeech();
        const type = isFinal ? stt.SpeechEventType.FINAL_TRANSCRIPT : stt.SpeechEventType.INTERIM_TRANSCRIPT;
        const [first, last] = [turn.words.at(0), turn.words.at(-1)];
        const said = {
          text,
          language: normalizeLanguage(turn.language_code ?? language),
          startTime: (first?.start ?? 0) / 1000 + this.startTimeOffset,
          endTime: (last?.end ?? 0) / 1000 + this.startTimeOffset,
          confidence: turn.words.reduce((sum, word) => sum + word.confidence, 0) / (turn.words.length || 1),
        };
        this.#put({ type, alternatives: [said] });
      }
      if (!isFinal) return;
      ended = turn.turn_order;
      if (this.#isSpeaking) this.#put({ type: stt.SpeechEventType.END_OF_SPEECH });
      this.#isSpeaking = false;
    };
  }

  #startSpeech(): void {
    if (this.#isSpeaking) return;
    this.#isSpeaking = true;
    this.#put({ type: stt.SpeechEventType.START_OF_SPEECH });
  }

  #put(event: stt.SpeechEvent): void {
    if (!this.queue.closed) this.queue.put(event);
  }
}

/** The last samples, with silence up to the length that the provider takes. */
function sendRest(chunks: AudioByteStream, transcriber: StreamingTranscriber): void {
  for (const { data } of chunks.flush()) {
    const padded = new Int16Array(CHUNK);
    padded.set(data);
    transcriber.sendAudio(padded.buffer);
  }
}

/** Statuses by the codes with which the provider closes a connection; anything else is its own failure. */
const STATUSES: Record<number, number> = {
  1008: 401,
  3006: 400,
  3007: 400,
  3009: 429,
  4000: 400,
  4001: 401,
  4002: 402,
  4003: 402,
  4029: 429,
  4101: 400,
  4102: 429,
};

/** An error of the SDK as one of the library's: its status says whether another model, or another attempt, may help. */
function failure(error: unknown): Error {
  const { code, message = '' } = error as { code?: number | string; message?: string };
  const [, refused] = /unexpected server response: (\d{3})/i.exec(message) ?? [];
  const status = refused ? Number(refused) : STATUSES[Number(code)];
  // The same code stands for a wrong key and for too many connections.
  const statusCode = status === 401 && /too many/i.test(message) ? 429 : status;
  if (statusCode !== undefined)
    return new APIStatusError({ message: message || `closed with ${code}`, options: { statusCode } });
  if (/timed out/i.test(message)) return new APITimeoutError({ message });
  return new APIConnectionError({ message: message || `the connection has ended with ${code}` });
}
