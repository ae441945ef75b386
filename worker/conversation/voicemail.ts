import { setTimeout as sleep } from 'node:timers/promises';
import { type llm, type stt, voice } from '@livekit/agents';
import { holdOf, speakerOf } from '@switchboard/rules/answered-by';
import { followBeeps } from './beep.ts';
import { type CallerSpeech, followCaller } from './caller-speech.ts';
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

/** A call, and whom the detection asks about it. */
interface Call {
  session: voice.AgentSession;
  detector: Detector;
  caller: CallerSpeech;
}

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
  const caller = followCaller(session);
  const call = { session, detector, caller };
  const beeps = action === 'leave_message' && message && waitsForBeep ? followBeeps(session, caller) : null;
  try {
    const first = await hearFirst(call);
    const isScreened = first.speaker === 'screening' && screening !== null;
    const answered_by = isScreened ? await passScreening(call, first, screening) : first.speaker;
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
    caller.stop();
  }
}

async function hearFirst(call: Call): Promise<Heard> {
  const silence = awaitSilence(call.session, call.caller, SILENCE_MS);
  try {
    return await hear(call, SILENCE_MS, silence.reached);
  } finally {
    silence.stop();
  }
}

/** Listens to whoever speaks next; nobody after a silence, or once it is `over`. */
async function hear(
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

/**
 * Answers whoever screens the call, and waits for somebody to pick up: `screening` if nobody does, and `human` if a
 * person has the caller wait for as long.
 */
async function passScreening(
  call: Call,
  first: Heard,
  { answer, timeoutMs }: ScreeningConfig,
): Promise<Outcome['answered_by']> {
  const { session } = call;
  let last = first;
  let nobody: Outcome['answered_by'] = 'screening';
  let left = timeoutMs;
  for (let answers = 0; left > 0; ) {
    // A reply to what was heard.
    drop(session);
    if (last.speaker === 'screening' && answers++ < ANSWERS) {
      last = await sayAndHear(session, answer);
      left = timeoutMs;
    } else {
      const begun = Date.now();
      last = await hearFor(call, left);
      left -= Date.now() - begun;
    }
    if (last.speaker === 'unavailable') return 'screening';
    if (!waits(last)) return last.speaker;
    if (last.speaker === 'human' && holdOf(last.words) === 'person') nobody = 'human';
  }
  return nobody;
}

async function hearFor(call: Call, ms: number): Promise<Heard> {
  const waiting = new AbortController();
  const over = sleep(ms, undefined, { signal: waiting.signal }).catch(() => {});
  return hear(call, ms, over).finally(() => waiting.abort());
}

/** Whether nobody has picked up yet, or whoever has is to be waited for. */
function waits({ speaker, words }: Heard): boolean {
  if (speaker === 'human' || speaker === 'ivr') return holdOf(words) !== null;
  return speaker === 'screening' || speaker === 'unknown';
}

/** Says an answer to its end, and hears who speaks meanwhile: somebody may pick up, and say so only once. */
async function sayAndHear(session: voice.AgentSession, answer: string): Promise<Heard> {
  const words: string[] = [];
  const onWords = ({ isFinal, transcript }: voice.UserInputTranscribedEvent) => {
    if (isFinal && transcript) words.push(transcript);
  };
  const { interruption } = session.sessionOptions.turnHandling;
  const { discardAudioIfUninterruptible } = interruption;
  // A realtime model that hears something breaks off what it says, and gets silence meanwhile.
  if (session.stt) interruption.discardAudioIfUninterruptible = false;
  session.on(voice.AgentSessionEventTypes.UserInputTranscribed, onWords);
  try {
    await say(session, answer, { allowInterruptions: false }).waitForPlayout();
  } finally {
    session.off(voice.AgentSessionEventTypes.UserInputTranscribed, onWords);
    interruption.discardAudioIfUninterruptible = discardAudioIfUninterruptible;
  }
  const said = words.join(' ');
  const speaker = speakerOf(said);
  // A machine that asks meanwhile has only finished its question.
  return said === '' || speaker === 'screening' ? NOBODY : { speaker, words: said };
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

/**
 * Waits until the caller has made a sound, and then been silent for so many milliseconds without a break. Words that
 * are recognized later than that break it, too: a realtime model may have all of them only once it has replied.
 */
export function awaitSilence(session: voice.AgentSession, caller: CallerSpeech, ms: number) {
  const { promise: reached, resolve } = Promise.withResolvers<void>();
  let timer: NodeJS.Timeout | undefined;
  function restart(): void {
    clearTimeout(timer);
    if (!caller.isSpeaking()) timer = setTimeout(resolve, ms);
  }
  const unfollow = caller.on(restart);
  session.on(voice.AgentSessionEventTypes.UserInputTranscribed, restart);
  return {
    reached,
    stop: (): void => {
      unfollow();
      session.off(voice.AgentSessionEventTypes.UserInputTranscribed, restart);
      clearTimeout(timer);
    },
  };
}
