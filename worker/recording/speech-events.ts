/** Tells a clearance when the agent speaks, and what was recognized of the others. */
import { llm, stt, voice } from '@livekit/agents';
import { onPlayed } from '../conversation/playback.ts';
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
  onPlayed(session, ({ interrupted, synchronizedTranscript }) => {
    if (interrupted && synchronizedTranscript === '') clearance.givesUp();
  });
  session.on(voice.AgentSessionEventTypes.UserInputTranscribed, ({ isFinal, transcript: text }) => {
    if (!isFinal && text.trim() !== '') clearance.heard();
    // Otherwise the recognizer itself says what it has understood, and when that was said.
    if (isFinal && isRealtime && !session.stt) clearance.recognized({ text, until: performance.now(), words: [] });
  });
  return clearance;
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
