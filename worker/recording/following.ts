/** Tells a clearance who speaks, and what was recognized. */
import { llm, stt, VADEventType, type VADStream, voice } from '@livekit/agents';
import type { AudioFrame } from '@livekit/rtc-node';
import { createSpeechDetector } from '../conversation/speech-detector.ts';
import { type Clearance, createClearance } from './clearance.ts';
import type { Recognized } from './timed-words.ts';

/** A realtime model may write down what was said in another order. */
const SETTLE_MS = { pipeline: 2_000, realtime: 3_000 };

/** Follows the speech in a session, before it starts. */
export function followSpeech(session: voice.AgentSession): Clearance {
  const isRealtime = session.llm instanceof llm.RealtimeModel;
  const clearance = createClearance(isRealtime ? SETTLE_MS.realtime : SETTLE_MS.pipeline);
  session.on(voice.AgentSessionEventTypes.AgentStateChanged, ({ newState }) =>
    clearance.speaks('agent', newState === 'speaking'),
  );
  session.on(voice.AgentSessionEventTypes.SpeechCreated, ({ speechHandle }) =>
    speechHandle.addDoneCallback(clearance.opens()),
  );
  session.on(voice.AgentSessionEventTypes.UserInputTranscribed, ({ isFinal, transcript: text }) => {
    if (!isFinal && text.trim() !== '') clearance.heard();
    // Otherwise the recognizer itself says what it has understood, and when that was said.
    if (isFinal && isRealtime && !session.stt) clearance.recognized({ text, until: performance.now(), words: [] });
  });
  return clearance;
}

export type Ears = ReturnType<ReturnType<typeof createEars>>;

/**
 * Detects the speech of the others in their sound. The library does not for realtime models, some of which report
 * speech only as they answer it. The returned function is called for each track.
 */
export function createEars(clearance: Pick<Clearance, 'speaks'>) {
  const detector = createSpeechDetector();
  const speaking = new Set<object>();
  const changed = (at: number) => clearance.speaks('others', speaking.size > 0, at);

  return () => {
    const stream = detector.stream();
    const stop = (at: number) => {
      if (speaking.delete(stream)) changed(at);
    };
    const start = (at: number) => {
      speaking.add(stream);
      changed(at);
    };
    // The end is noticed after so much silence.
    followEvents(stream, start, (at) => stop(at - (detector.minSilenceDuration ?? 0))).catch(() => {});
    return {
      add: (frame: AudioFrame): void => stream.pushFrame(frame),
      close(): void {
        stop(performance.now());
        // Its reader waits for this.
        stream.flush();
        stream.close();
      },
    };
  };
}

type Act = (at: number) => void;

async function followEvents(stream: VADStream, start: Act, stop: Act): Promise<void> {
  for await (const { type } of stream) {
    if (type === VADEventType.START_OF_SPEECH) start(performance.now());
    if (type === VADEventType.END_OF_SPEECH) stop(performance.now());
  }
}

/** Words of an event of a recognizer; null if they are not final. `began` is when its audio began. */
export function recognizedIn(event: stt.SpeechEvent | string, began: number): Recognized | null {
  if (typeof event === 'string' || event.type !== stt.SpeechEventType.FINAL_TRANSCRIPT) return null;
  const [now, passed] = [performance.now(), Date.now() - performance.now()];
  const { text = '', words = [] } = event.alternatives?.[0] ?? {};
  const at = (seconds: number, offset: number) => began - passed + (seconds - offset) * 1000;
  const timed = words.map(({ text, startTime, endTime, startTimeOffset }) =>
    startTime === undefined || endTime === undefined || startTimeOffset === undefined
      ? null
      : { text, from: at(startTime, startTimeOffset), to: at(endTime, startTimeOffset) },
  );
  const until = Math.min(now, (event.speechEndTime ?? Number.POSITIVE_INFINITY) - passed);
  return { text, until, words: timed.some((word) => word === null) ? [] : (timed as Recognized['words']) };
}
