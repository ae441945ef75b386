import { setTimeout as sleep } from 'node:timers/promises';
import { type llm, type stt, voice } from '@livekit/agents';
import { isHold, speakerOf } from '@switchboard/rules/answered-by';
import { followBeeps } from './beep.ts';
import type { ConversationConfig, ScreeningConfig, VoicemailConfig } from './config.ts';
import { say } from './say.ts';

/** The outcome of a call, in the API's format. */
export interface Outcome {
  answered_by: 'human' | 'voicemail' | 'ivr' | 'screening' | 'unavailable' | 'ai' | 'unknown';
  /** Ends the call; a machine that has answered is the reason. */
  hang_up?: boolean;
}

/** Silence after which a callee is greeted: from the beginning, or after sounds in which no word was recognized. */
const SILENCE_MS = 4_000;
/** The library's own longest time until it decides. */
const DETECTION_MS = 20_000;
/** Answers to a machine that asks again who calls. */
const ANSWERS = 3;
/** The longest wait for the tone of a machine that goes on talking. */
const BEEP_MS = 20_000;
const LOOK_MS = 50;

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

type Action = Pick<VoicemailConfig, 'action' | 'message'> & Partial<Pick<VoicemailConfig, 'waitsForBeep'>>;

interface Around {
  screening?: ScreeningConfig | null;
  detector?: Detector;
  /** Says what must come before a message. */
  disclose?: () => Promise<void>;
}

/** The speaker, and the words. */
interface Heard {
  speaker: Outcome['answered_by'];
  words: string;
}

const NOBODY: Heard = { speaker: 'unknown', words: '' };

/** The treatment of machines on the outbound calls of an agent; null if nobody finds out who answers. */
export function actionOf({ voicemail, screening }: Pick<ConversationConfig, 'voicemail' | 'screening'>): Action | null {
  return voicemail ?? (screening && { action: 'continue', message: null });
}

/**
 * Detects who answered an outbound call, from the first words, and reports the outcome. A machine that asks who calls
 * is answered with the words of the configuration. Returns whether the conversation continues.
 */
export async function detectVoicemail(
  session: voice.AgentSession,
  { action, message, waitsForBeep = false }: Action,
  tell: (outcome: Outcome) => void,
  { screening = null, detector = {}, disclose = async () => {} }: Around = {},
): Promise<boolean> {
  const beeps = action === 'leave_message' && message && waitsForBeep ? followBeeps(session) : null;
  try {
    const first = await hearFirst(session, detector);
    const isScreened = first.speaker === 'screening' && screening !== null;
    const answered_by = isScreened ? await passScreening(session, first, screening, detector) : first.speaker;
    if (isScreened && answered_by === 'screening') {
      tell({ answered_by, hang_up: true });
      return false;
    }
    if ((answered_by !== 'voicemail' && answered_by !== 'unavailable') || action === 'continue') {
      tell({ answered_by });
      return true;
    }
    // No message can be left in a full mailbox.
    if (action === 'leave_message' && message && answered_by === 'voicemail') {
      if (beeps) await untilBeep(session, beeps);
      await disclose();
      await say(session, message, { allowInterruptions: false }).waitForPlayout();
    }
    tell({ answered_by, hang_up: true });
    return false;
  } finally {
    beeps?.stop();
  }
}

async function hearFirst(session: voice.AgentSession, detector: Detector): Promise<Heard> {
  const silence = awaitSilence(session, SILENCE_MS);
  try {
    return await hear(session, detector, SILENCE_MS, silence.reached);
  } finally {
    silence.stop();
  }
}

/** Listens to whoever speaks next; nobody after a silence, or once it is `over`. */
async function hear(
  session: voice.AgentSession,
  detector: Detector,
  noSpeechTimeoutMs: number,
  over: Promise<void>,
): Promise<Heard> {
  const detectionTimeoutMs = Math.max(DETECTION_MS, noSpeechTimeoutMs);
  const detection = new voice.AMD(session, { ...OPTIONS, ...detector, noSpeechTimeoutMs, detectionTimeoutMs });
  const unfollow = followUser(session, detection);
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

/** Tells the detection when somebody speaks, where the library does not: a realtime model notices that itself. */
function followUser(session: voice.AgentSession, detection: voice.AMD): () => void {
  if (session.stt) return () => {};
  const onState = ({ newState }: { newState: voice.UserState }) => {
    if (newState === 'speaking') detection.onUserSpeechStarted();
    else if (newState === 'listening') detection.onUserSpeechEnded(0);
  };
  session.on(voice.AgentSessionEventTypes.UserStateChanged, onState);
  return () => session.off(voice.AgentSessionEventTypes.UserStateChanged, onState);
}

/** The speaker by the model's category, which is coarser than what the words themselves may say. */
function speakerIn(category: voice.AMDCategory, words: string): Outcome['answered_by'] {
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

/** Answers whoever screens the call, and waits for somebody to pick up: `screening` if nobody does. */
async function passScreening(
  session: voice.AgentSession,
  first: Heard,
  { answer, timeoutMs }: ScreeningConfig,
  detector: Detector,
): Promise<Outcome['answered_by']> {
  let last = first;
  let left = timeoutMs;
  for (let answers = 0; left > 0; ) {
    drop(session);
    const asks = last.speaker === 'screening';
    if (asks && answers++ < ANSWERS) {
      await say(session, answer, { allowInterruptions: false }).waitForPlayout();
      left = timeoutMs;
      // A reply to what was heard meanwhile.
      drop(session);
    }
    const begun = Date.now();
    const waiting = new AbortController();
    const over = sleep(left, undefined, { signal: waiting.signal }).catch(() => {});
    last = await hear(session, detector, left, over).finally(() => waiting.abort());
    left -= Date.now() - begun;
    if (last.speaker === 'unavailable') return 'screening';
    const waits = last.speaker === 'screening' || last.speaker === 'unknown' || isHold(last.words);
    if (!waits) return last.speaker;
  }
  return 'screening';
}

/** Takes back what a model would say to a machine. */
function drop(session: voice.AgentSession): void {
  try {
    session.interrupt({ force: true });
  } catch {
    // Nothing is said in a session that closes.
  }
}

/** Waits for the tone of a machine, for its silence if there is none, and not for ever. Nobody answers it meanwhile. */
async function untilBeep(session: voice.AgentSession, beeps: ReturnType<typeof followBeeps>): Promise<void> {
  session.pauseReplyAuthorization();
  try {
    for (const begun = Date.now(); Date.now() - begun < BEEP_MS; await sleep(LOOK_MS))
      if (beeps.isHeard() || beeps.silentMs() >= SILENCE_MS) return;
  } finally {
    drop(session);
    session.resumeReplyAuthorization();
  }
}

/** Waits until the caller has made a sound, and then been silent for so many milliseconds without a break. */
export function awaitSilence(session: voice.AgentSession, ms: number) {
  const { promise: reached, resolve } = Promise.withResolvers<void>();
  let timer: NodeJS.Timeout | undefined;
  function restart(): void {
    clearTimeout(timer);
    if (session.userState !== 'speaking') timer = setTimeout(resolve, ms);
  }
  session.on(voice.AgentSessionEventTypes.UserStateChanged, restart);
  return {
    reached,
    stop: (): void => {
      session.off(voice.AgentSessionEventTypes.UserStateChanged, restart);
      clearTimeout(timer);
    },
  };
}
