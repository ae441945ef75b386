import { voice } from '@livekit/agents';
import type { ConversationConfig } from './config.ts';

/** The outcome of a call, in the API's format. */
export interface Outcome {
  answered_by: 'human' | 'voicemail' | 'ivr' | 'unknown';
  /** Ends the call with the reason `voicemail`. */
  hang_up?: boolean;
}

/** Silence after which a callee is greeted: from the beginning, or after sounds in which no word was recognized. */
const SILENCE_MS = 4_000;

const OPTIONS: voice.AMDOptions = {
  llm: null,
  stt: null,
  suppressCompatibilityWarning: true,
  // Only words tell who speaks. The library would take any short sound for a person before its words are recognized,
  // and measures it by when it notices beginning and end: on a busy machine, both at once.
  humanSpeechThresholdMs: Number.NEGATIVE_INFINITY,
  noSpeechTimeoutMs: SILENCE_MS,
};

const ANSWERED_BY: Record<voice.AMDCategory, Outcome['answered_by']> = {
  [voice.AMDCategory.HUMAN]: 'human',
  [voice.AMDCategory.MACHINE_IVR]: 'ivr',
  [voice.AMDCategory.MACHINE_VM]: 'voicemail',
  [voice.AMDCategory.MACHINE_UNAVAILABLE]: 'voicemail',
  [voice.AMDCategory.UNCERTAIN]: 'unknown',
};

/**
 * Detects who answered an outbound call, with the agent's own recognition and language model, and reports the outcome.
 * Returns whether the conversation continues.
 */
export async function detectVoicemail(
  session: voice.AgentSession,
  { action, message }: NonNullable<ConversationConfig['voicemail']>,
  tell: (outcome: Outcome) => void,
  /** Says what must come before a message. */
  disclose: () => Promise<void> = async () => {},
): Promise<boolean> {
  const detection = new voice.AMD(session, OPTIONS);
  const silence = awaitSilence(session, SILENCE_MS);
  try {
    const execution = detection.execute();
    // Closing the detection rejects it, after a silence.
    execution.catch(() => {});
    const category = await Promise.race([
      execution.then((prediction) => prediction.category),
      silence.reached.then(() => voice.AMDCategory.UNCERTAIN),
    ]);
    const answered_by = ANSWERED_BY[category];
    if (answered_by !== 'voicemail' || action === 'continue') {
      tell({ answered_by });
      return true;
    }
    // No message can be left in a full mailbox.
    if (action === 'leave_message' && message && category === voice.AMDCategory.MACHINE_VM) {
      await disclose();
      await session.say(message, { allowInterruptions: false }).waitForPlayout();
    }
    tell({ answered_by, hang_up: true });
    return false;
  } finally {
    silence.stop();
    await detection.aclose();
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
