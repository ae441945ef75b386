/** The worker's own detection of who answered, by the rules without an account, about what was heard. */
import { mock } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { voice } from '@livekit/agents';
import { LocalLlm } from '../../conversation/models/local.ts';
import { detectVoicemail, type Outcome } from '../../conversation/voicemail.ts';
import type { Heard } from './heard.ts';

export type AnsweredBy = Outcome['answered_by'];

/** As a session of the worker has it. */
const LONGEST_PAUSE_MS = 1_200;
const STEP_MS = 50;
const LONGEST_MS = 60_000;
/** Turns of the event loop for the answer of the rules, which take no time by the clock. */
const TURNS = 20;

/** Decides about all at once, by a clock that does not wait. */
export async function decideAll(all: readonly Heard[][]): Promise<AnsweredBy[]> {
  const sessions = await Promise.all(all.map(startSession));
  mock.timers.enable({ apis: ['setTimeout', 'setInterval'] });
  try {
    const answers = all.map((): AnsweredBy | null => null);
    const settings = { action: 'continue', message: null } as const;
    for (const [index, session] of sessions.entries())
      void detectVoicemail(session, settings, ({ answered_by }) => {
        answers[index] = answered_by;
      });
    const waiting = all.map((heard) => [...heard]);
    for (let now = 0; now < LONGEST_MS && answers.includes(null); now += STEP_MS) {
      let isHeard = false;
      for (const [index, heard] of waiting.entries())
        while (answers[index] === null && heard[0] && heard[0].at_ms <= now) {
          hear(sessions[index] as voice.AgentSession, heard.shift() as Heard);
          isHeard = true;
        }
      mock.timers.tick(STEP_MS);
      for (let time = 0; time < (isHeard ? TURNS : 1); time++) await turn();
    }
    return answers.map((answer) => answer ?? 'unknown');
  } finally {
    mock.timers.reset();
    await Promise.all(sessions.map((session) => session.close()));
  }
}

async function startSession(): Promise<voice.AgentSession> {
  const turnHandling = { endpointing: { maxDelay: LONGEST_PAUSE_MS } };
  const session = new voice.AgentSession({ vad: null, llm: new LocalLlm(), turnHandling, userAwayTimeout: null });
  await session.start({ agent: new voice.Agent({ instructions: 'Be brief.' }) });
  return session;
}

/** As the library does when its speech detection and the recognizer notice something. */
function hear(session: voice.AgentSession, heard: Heard): void {
  const { amd } = session;
  if (heard.what !== 'words') session._updateUserState(heard.what === 'begins' ? 'speaking' : 'listening');
  if (heard.what === 'begins') amd?.onUserSpeechStarted();
  else if (heard.what === 'ends') amd?.onUserSpeechEnded(heard.after_ms);
  else amd?.onTranscript(heard.text);
}
