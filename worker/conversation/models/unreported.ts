/**
 * The last of what recognizers of plugins hear: they report it now and then, or with the words, but not as they end.
 * In version 1.8.1 of the library none of them does.
 */
import { stt } from '@livekit/agents';
import type { AudioFrame } from '@livekit/rtc-node';

/** Seconds of sound between two reports. */
const REPORT_S = 5;

type Input = AudioFrame | symbol;

interface Queue<T> {
  readonly closed: boolean;
  put(one: T): void;
  next(options?: { signal?: AbortSignal }): Promise<IteratorResult<T>>;
  close(): void;
}

/** The protected parts of a stream. */
interface Parts {
  closed: boolean;
  input: Queue<Input>;
  queue: Queue<stt.SpeechEvent>;
  output: Queue<stt.SpeechEvent>;
  flush(): void;
  endInput(): void;
  close(): void;
}

/** The same recognizer, each stream of which is changed. */
function changed(model: stt.STT, change: (parts: Parts) => void): stt.STT {
  const open = model.stream.bind(model);
  model.stream = (options) => {
    const stream = open(options);
    change(stream as unknown as Parts);
    return stream;
  };
  return model;
}

/** A recognizer that sends all that it hears: what it has not reported of that is reported as its stream ends. */
export const countsRest = (model: stt.STT): stt.STT =>
  changed(model, (parts) => countRest(parts, Number.POSITIVE_INFINITY));

/** The same for one that reports nothing at all: a process that is killed must not lose a whole call. */
export const countsAll = (model: stt.STT): stt.STT => changed(model, (parts) => countRest(parts, REPORT_S));

function countRest({ input, queue }: Parts, everyS: number): void {
  const type = stt.SpeechEventType.RECOGNITION_USAGE;
  let seconds = 0;
  const [next, put, close] = [input.next.bind(input), queue.put.bind(queue), queue.close.bind(queue)];
  // Sound that is read is sent: sound that waits for a connection that never comes is not booked.
  input.next = async (options) => {
    const item = await next(options);
    if (!item.done && typeof item.value !== 'symbol') seconds += item.value.samplesPerChannel / item.value.sampleRate;
    if (seconds >= everyS && !queue.closed) queue.put({ type, recognitionUsage: { audioDuration: seconds } });
    return item;
  };
  queue.put = (event) => {
    seconds -= event.recognitionUsage?.audioDuration ?? 0;
    put(event);
  };
  queue.close = () => {
    if (!queue.closed && seconds > 0) put({ type, recognitionUsage: { audioDuration: seconds } });
    close();
  };
}

/** A recognizer that reports what it has sent when it is flushed, because it leaves out silence: it is, at the end. */
export const flushesRest = (model: stt.STT): stt.STT => changed(model, flushRest);

function flushRest(stream: Parts): void {
  const [endInput, close] = [stream.endInput.bind(stream), stream.close.bind(stream)];
  stream.endInput = () => {
    stream.flush();
    endInput();
  };
  stream.close = () => {
    if (!stream.closed && !stream.input.closed) stream.endInput();
    // Nobody hears words after the end.
    if (!stream.output.closed) stream.output.close();
    // The plugin reads its input, and reports, before anything else happens.
    setImmediate(close);
  };
}
