import { setTimeout as sleep } from 'node:timers/promises';
import { llm, voice } from '@livekit/agents';
import type { AnsweredBy } from '@switchboard/client';
import { type Call, type Detector, type Heard, hear } from './answerer.ts';
import { followBeeps } from './beep.ts';
import { type CallerSpeech, followCaller } from './caller-speech.ts';
import type { ConversationConfig, ScreeningConfig, VoicemailConfig } from './config.ts';
import { interrupt, say } from './say.ts';
import { passScreening } from './screening.ts';

/** The outcome of a call, in the API's format. */
export interface Outcome {
  answered_by: AnsweredBy;
  /** Ends the call; a machine that has answered is the reason. */
  hang_up?: boolean;
}

/** Silence after which a callee is greeted: from the beginning, or after sounds in which no word was recognized. */
const SILENCE_MS = 4_000;
/** The longest wait for the tone of a machine that goes on talking. */
const BEEP_MS = 20_000;
const LOOK_MS = 50;

type Action = Pick<VoicemailConfig, 'action' | 'message'> & Partial<Pick<VoicemailConfig, 'waitsForBeep'>>;

interface Around {
  screening?: ScreeningConfig | null;
  detector?: Detector;
  /** Says what must come before a message. */
  disclose?: () => Promise<void>;
  /** Once it fires, who answers is `unknown`: nothing that is said later counts, or is cut off. */
  over?: AbortSignal | null;
}

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
  report: (outcome: Outcome) => void,
  { screening = null, detector = {}, disclose = async () => {}, over = null }: Around = {},
): Promise<boolean> {
  const caller = followCaller(session);
  const call = { session, detector, caller };
  const beeps = action === 'leave_message' && message && waitsForBeep ? followBeeps(session, caller) : null;
  try {
    const first = await hearFirst(call, over);
    const isScreened = first.speaker === 'screening' && screening !== null;
    const answered_by = isScreened ? await passScreening(call, first, screening) : first.speaker;
    if (isScreened && answered_by === 'screening') {
      report({ answered_by, hang_up: true });
      return false;
    }
    if ((answered_by !== 'voicemail' && answered_by !== 'unavailable') || action === 'continue') {
      report({ answered_by });
      return true;
    }
    // No message can be left in a full mailbox.
    if (action === 'leave_message' && message && answered_by === 'voicemail') {
      // Reported before the message: a machine that hangs up during it would count as a person.
      report({ answered_by });
      if (beeps) await untilBeep(session, beeps);
      await disclose();
      await say(session, message, { allowInterruptions: false }).waitForPlayout();
    }
    report({ answered_by, hang_up: true });
    return false;
  } finally {
    beeps?.stop();
    caller.stop();
  }
}

/**
 * Whether a machine has answered, to which nobody needs to talk. Not without a model that could tell, and not once it
 * is `over`. The agent says nothing until this resolves.
 */
export async function reachesMachine(session: voice.AgentSession, over: AbortSignal): Promise<boolean> {
  if (!session.llm || session.llm instanceof llm.RealtimeModel) return false;
  let isOne = false;
  const report = (outcome: Outcome) => {
    isOne = isMachine(outcome);
  };
  await detectVoicemail(session, { action: 'continue', message: null }, report, { over }).catch(() => {});
  return isOne;
}

/** Whether nobody is there who could take a call. */
export function isMachine({ answered_by }: Pick<Outcome, 'answered_by'>): boolean {
  return answered_by !== 'human' && answered_by !== 'unknown';
}

async function hearFirst(call: Call, over: AbortSignal | null): Promise<Heard> {
  const silence = awaitSilence(call.session, call.caller, SILENCE_MS);
  const { promise: ended, resolve: end } = Promise.withResolvers<void>();
  if (over?.aborted) end();
  over?.addEventListener('abort', () => end(), { once: true });
  try {
    return await hear(call, SILENCE_MS, Promise.race([silence.reached, ended]));
  } finally {
    silence.stop();
  }
}

/** Waits for the tone of a machine, for its silence if there is none, and not for ever. Nobody answers it meanwhile. */
async function untilBeep(session: voice.AgentSession, beeps: ReturnType<typeof followBeeps>): Promise<void> {
  session.pauseReplyAuthorization();
  try {
    for (const begun = Date.now(); Date.now() - begun < BEEP_MS; await sleep(LOOK_MS))
      if (beeps.isHeard() || beeps.silentMs() >= SILENCE_MS) return;
  } finally {
    interrupt(session, { force: true });
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
