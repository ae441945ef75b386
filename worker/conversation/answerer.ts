/** Hears who has answered a call, by the words. */
import { type llm, type stt, voice } from '@livekit/agents';
import type { AnsweredBy } from '@switchboard/client';
import { speakerOf } from '@switchboard/rules/answered-by';
import type { CallerSpeech } from './caller-speech.ts';

/** The library's own longest time until it decides. */
const DETECTION_MS = 20_000;

const OPTIONS: voice.AMDOptions = {
  llm: null,
  stt: null,
  suppressCompatibilityWarning: true,
  // Only words tell who speaks. The library would take any short sound for a person before its words are recognized,
  // and measures it by when it notices beginning and end: on a busy machine, both at once.
  humanSpeechThresholdMs: Number.NEGATIVE_INFINITY,
};

/** Models of the detection in place of those of the conversation. */
export interface Detector {
  stt?: stt.STT;
  llm?: llm.LLM;
}

/** A call, and whom the detection asks about it. */
export interface Call {
  session: voice.AgentSession;
  detector: Detector;
  caller: CallerSpeech;
}

/** The speaker, and the words. */
export interface Heard {
  speaker: AnsweredBy;
  words: string;
}

export const NOBODY: Heard = { speaker: 'unknown', words: '' };

/** Listens to whoever speaks next; nobody after a silence, or once it is `over`. */
export async function hear(
  { session, detector, caller }: Call,
  noSpeechTimeoutMs: number,
  over: Promise<void>,
): Promise<Heard> {
  const detectionTimeoutMs = Math.max(DETECTION_MS, noSpeechTimeoutMs);
  const detection = new voice.AMD(session, { ...OPTIONS, ...detector, noSpeechTimeoutMs, detectionTimeoutMs });
  // The library tells its detection itself where a recognizer listens.
  const unfollow = session.stt ? () => {} : follow(caller, detection);
  try {
    const execution = detection.execute();
    // Closing the detection rejects it, after a silence.
    execution.catch(() => {});
    return await Promise.race([
      execution.then(({ category, transcript }) => ({ speaker: speakerIn(category, transcript), words: transcript })),
      over.then(() => NOBODY),
    ]);
  } finally {
    unfollow();
    await detection.aclose();
  }
}

function follow(caller: CallerSpeech, detection: voice.AMD): () => void {
  return caller.on((isSpeaking, silentMs) => {
    if (isSpeaking) detection.onUserSpeechStarted();
    else detection.onUserSpeechEnded(silentMs);
  });
}

/** The speaker by the model's category, which is coarser than what the words themselves may say. */
function speakerIn(category: voice.AMDCategory, words: string): AnsweredBy {
  const said = speakerOf(words);
  switch (category) {
    case voice.AMDCategory.HUMAN:
      return said === 'ai' ? 'ai' : 'human';
    case voice.AMDCategory.MACHINE_IVR:
      return said === 'screening' || said === 'ai' ? said : 'ivr';
    case voice.AMDCategory.MACHINE_VM:
      return said === 'screening' ? 'screening' : 'voicemail';
    case voice.AMDCategory.MACHINE_UNAVAILABLE:
      return 'unavailable';
    default:
      return said === 'screening' || said === 'ai' ? said : 'unknown';
  }
}
