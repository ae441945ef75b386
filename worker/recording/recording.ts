import type { stt, voice } from '@livekit/agents';
import type { Room } from '@livekit/rtc-node';
import type { ConversationConfig } from '../conversation/config.ts';
import { say } from '../conversation/say.ts';
import type { Intercept } from '../conversation/sounds.ts';
import type { Speaker, Switchboard } from '../switchboard/switchboard.ts';
import { askForConsent, canAsk } from './consent.ts';
import { createRecorder, type Reports } from './recorder.ts';
import { followSpeech, recognizedIn } from './speech-events.ts';

const NO_CALL_WITHOUT = 'Without your consent this call cannot go on. Goodbye.';

interface Deps {
  session: voice.AgentSession;
  room: Room;
  reports: Reports;
  log: Parameters<typeof createRecorder>[3];
}

type Config = Pick<ConversationConfig, 'recording' | 'privacy'>;
type Reported = Pick<Switchboard, 'transcript' | 'usage'>;

/**
 * The recording of a call, which begins once there is consent. Without a config nothing is recorded. Secrets that are
 * replaced in lines are silent in it.
 */
export function openRecording({ recording: config, privacy }: Config, { session, room, reports, log }: Deps) {
  const clearance = config && privacy ? followSpeech(session) : null;
  const recorder = config && createRecorder(room, config.channels, reports, log, clearance);

  /** Asks, unless the caller is not with the agent, and begins. False if the call must not go on without. */
  async function begin(intercept: Intercept, isAway: () => boolean): Promise<boolean> {
    if (!config || !recorder) return true;
    const { consent } = config;
    if (consent.type !== 'none') await recorder.wait();
    const isPossible = canAsk(session, consent);
    if (isPossible && (await askForConsent(session, room, consent, intercept, isAway)) === 'given') {
      recorder.start();
      return true;
    }
    await (isPossible ? recorder.refuse() : recorder.fail('Verbal consent needs a model for speech recognition.'));
    log.warn({ type: consent.type, isPossible }, 'the call is not recorded');
    if (consent.onRefusal === 'continue_unrecorded') return true;
    await say(session, NO_CALL_WITHOUT, { allowInterruptions: false }).waitForPlayout();
    return false;
  }

  return {
    begin,
    /** Records silence until the returned function is called. */
    mute: (): (() => void) => recorder?.mute() ?? (() => {}),
    /** Resolves once everything is on disk, and `lastLines` have been reported. */
    stop: async (lastLines: Promise<unknown>): Promise<void> => {
      await Promise.all([recorder?.stop(lastLines), lastLines]);
    },
    /** A recognizer has understood something; its audio began at that time. */
    recognized(event: stt.SpeechEvent | string, began: number): void {
      const recognized = clearance && recognizedIn(event, began);
      if (recognized) clearance.recognized(recognized);
    },
    /** The same reports: it knows where recorded lines begin to be heard, and silences what was replaced in them. */
    watched: ({ transcript, usage }: Reported) => ({
      usage,
      transcript(speaker: Speaker, text: string, began?: number): void {
        const side = speaker === 'AGENT' ? 'agent' : 'others';
        const secrets = transcript(speaker, text, (began && recorder?.onset(side, began)) ?? undefined);
        clearance?.onTranscript(side, text, secrets);
      },
    }),
  };
}
