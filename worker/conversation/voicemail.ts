import { voice } from '@livekit/agents';
import type { AgentConfig } from './config.ts';

/** The outcome of a call, in the API's format. */
export interface Outcome {
  answered_by: 'human' | 'voicemail' | 'ivr' | 'unknown';
  /** Ends the call with the reason `voicemail`. */
  hang_up?: boolean;
}

/** Time after which a silent callee is greeted. */
const NO_SPEECH_MS = 4_000;

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
  { action, message }: NonNullable<AgentConfig['voicemail']>,
  tell: (outcome: Outcome) => void,
): Promise<boolean> {
  const options = { llm: null, stt: null, suppressCompatibilityWarning: true };
  const detection = new voice.AMD(session, { ...options, noSpeechTimeoutMs: NO_SPEECH_MS });
  try {
    const { category } = await detection.execute();
    const answered_by = ANSWERED_BY[category];
    if (answered_by !== 'voicemail' || action === 'continue') {
      tell({ answered_by });
      return true;
    }
    // No message can be left in a full mailbox.
    if (action === 'leave_message' && message && category === voice.AMDCategory.MACHINE_VM)
      await session.say(message, { allowInterruptions: false }).waitForPlayout();
    tell({ answered_by, hang_up: true });
    return false;
  } finally {
    await detection.aclose();
  }
}
