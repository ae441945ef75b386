/** Tells a clearance when the others speak, by the place of their sound in the recording. */
import { type VADEvent, VADEventType } from '@livekit/agents';
import type { AudioFrame } from '@livekit/rtc-node';
import { createStrictSpeechDetector } from '../conversation/speech-detector.ts';
import { PATIENCE_MS } from './mixer.ts';

/** Sound that waits for more: the detector hears windows of 32 ms, and finds speech in two of them. */
const WINDOW_MS = 64;
/** A detector that is further behind cannot follow, or has failed without saying so; memory would grow. */
const MAX_BEHIND_MS = 30_000;

type Frame = Pick<AudioFrame, 'data' | 'sampleRate' | 'channels' | 'samplesPerChannel'>;
type Event = Pick<VADEvent, 'type' | 'timestamp' | 'silenceDuration'>;

/** A detector, as far as it is used; `timestamp` counts the milliseconds of sound that it has heard. */
interface Detector {
  stream(): Stream;
}

type Stream = AsyncIterable<Event> & { pushFrame(frame: Frame): void; flush(): void; close(): void };

export type Ear = ReturnType<ReturnType<typeof createEars>['open']>;

/**
 * Detects the speech of the others in their sound. The library does not for realtime models, some of which report
 * speech only as they answer it. After a failure nothing more is known of who speaks.
 */
export function createEars(
  speaks: (is: boolean, at: number) => void,
  onFailure: (error: unknown) => void,
  detector: Detector = createStrictSpeechDetector() as Detector,
) {
  const ears = new Set<ReturnType<typeof createEar>>();
  const speaking = new Set<object>();
  let stoppedAt = Number.NEGATIVE_INFINITY;

  /** Opens an ear for a track. */
  function open() {
    const ear = createEar(
      openStream(detector),
      (is, at) => {
        if (is) speaking.add(ear);
        else if (!speaking.delete(ear)) return;
        // Somebody who is detected late may have stopped before somebody else.
        if (!is) stoppedAt = Math.max(stoppedAt, at);
        speaks(speaking.size > 0, is ? at : stoppedAt);
      },
      onFailure,
    );
    ears.add(ear);
    ear.finished.then(() => ears.delete(ear)).catch(() => {});
    return { add: ear.add, close: ear.close };
  }

  return {
    open,
    /** The time up to which every track has been heard by its detector. */
    heardUntil: (now: number): number => Math.min(...[...ears].map((ear) => ear.heardUntil(now))),
    /** Resolves once every ear has heard its sound to the end, or has failed. */
    finished: async (): Promise<void> => void (await Promise.allSettled([...ears].map((ear) => ear.finished))),
  };
}

/** Opens a stream; one that cannot be opened is one that fails. */
function openStream(detector: Detector): Stream {
  try {
    return detector.stream();
  } catch (error) {
    const failed = { next: () => Promise.reject(error) };
    return { pushFrame: () => {}, flush: () => {}, close: () => {}, [Symbol.asyncIterator]: () => failed };
  }
}

function createEar(stream: Stream, speaks: (is: boolean, at: number) => void, onFailure: (error: unknown) => void) {
  /** Frames that are not heard to their ends: where these are in the sound, and on the clock. */
  let waiting: { end_ms: number; at: number }[] = [];
  let [added_ms, heard_ms] = [0, 0];
  /** When it was last seen to have heard more, or to have nothing to hear. */
  let seen = { heard_ms: -1, at: Number.NEGATIVE_INFINITY };
  /** The time on the clock until which it has heard. */
  let heardUntil = Number.POSITIVE_INFINITY;
  let state: 'open' | 'closing' | 'closed' | 'failed' = 'open';
  const { promise: finished, resolve, reject } = Promise.withResolvers<void>();
  const isBehind = () => added_ms - heard_ms > WINDOW_MS;

  function fail(error: unknown): void {
    if (state === 'closed' || state === 'failed') return;
    state = 'failed';
    waiting = [];
    onFailure(error);
    reject(error);
  }

  function hear(timestamp: number): void {
    heard_ms = timestamp;
    waiting = waiting.filter(({ end_ms }, index) => end_ms >= heard_ms || index === waiting.length - 1);
    const [frame] = waiting;
    if (frame) heardUntil = frame.at - (frame.end_ms - heard_ms);
  }

  function finish(): void {
    if (state !== 'closing' || isBehind()) return;
    state = 'closed';
    speaks(false, waiting.at(-1)?.at ?? heardUntil);
    // Its reader waits for this.
    stream.flush();
    stream.close();
    resolve();
  }

  async function follow(): Promise<void> {
    for await (const { type, timestamp, silenceDuration } of stream) {
      if (state === 'closed' || state === 'failed') return;
      hear(timestamp);
      if (type === VADEventType.START_OF_SPEECH) speaks(true, heardUntil);
      if (type === VADEventType.END_OF_SPEECH) speaks(false, heardUntil - silenceDuration);
      finish();
    }
    throw new Error('the detector of speech has ended');
  }
  follow().catch(fail);

  return {
    /** Hears a frame that ends at that time. */
    add(frame: Frame, at: number): void {
      const ms = (frame.samplesPerChannel * 1000) / frame.sampleRate;
      if (added_ms === 0) heardUntil = at - ms;
      added_ms += ms;
      if (state !== 'open') return;
      waiting.push({ end_ms: added_ms, at });
      try {
        stream.pushFrame(frame);
        if (added_ms - heard_ms > MAX_BEHIND_MS) throw new Error('the detector of speech does not follow');
      } catch (error) {
        fail(error);
      }
    },
    /** Hears what it has to its end. */
    close(): void {
      if (state === 'open') state = 'closing';
      finish();
    },
    /** The time up to which it has heard. The mixer takes no sound that is later than its patience. */
    heardUntil(now: number): number {
      if (!isBehind() || heard_ms > seen.heard_ms) seen = { heard_ms, at: now };
      if (now - seen.at > MAX_BEHIND_MS) fail(new Error('the detector of speech is stuck'));
      return state === 'failed' || isBehind() ? heardUntil : Math.max(heardUntil, now - PATIENCE_MS);
    },
    finished,
  };
}
