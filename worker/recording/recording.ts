import type { voice } from '@livekit/agents';
import type { Room } from '@livekit/rtc-node';
import type { RecordingConfig } from '../conversation/config.ts';
import { say } from '../conversation/say.ts';
import type { Intercept } from '../conversation/sounds.ts';
import { askForConsent, canAsk } from './consent.ts';
import { createRecorder, type Reports } from './recorder.ts';

const NO_CALL_WITHOUT = 'Without your consent this call cannot go on. Goodbye.';

interface Deps {
  session: voice.AgentSession;
  room: Room;
  reports: Reports;
  log: Parameters<typeof createRecorder>[3];
}

/** The recording of a call, which begins once there is consent. Without a config nothing is recorded. */
export function openRecording(config: RecordingConfig | null, { session, room, reports, log }: Deps) {
  const recorder = config && createRecorder(room, config.channels, reports, log);

  /** Asks, and begins. False if the call must not go on without. */
  async function begin(intercept: Intercept): Promise<boolean> {
    if (!config || !recorder) return true;
    const { consent } = config;
    if (consent.type !== 'none') await recorder.wait();
    const isPossible = canAsk(session, consent);
    if (isPossible && (await askForConsent(session, room, consent, intercept)) === 'given') {
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
    stop: async (): Promise<void> => recorder?.stop(),
  };
}
